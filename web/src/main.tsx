import { render } from 'preact'
import { App } from './app.tsx'
import { listenToKeys } from './keys/keys.ts'
import { openDocument } from './model/document.ts'
import { begin, opening, player, problem } from './model/lab.ts'
import { carriesDocument, documentIn } from './sharing/link.ts'
import { hasFiles, listenToDrops, openServed } from './sharing/opening.ts'
import './style.css'

const UNREADABLE = 'The link cannot be read: it may have been cut when it was copied.'
const NO_COMPILER = 'The link has own code, and there is no compiler here: use --with-editor.'

/** Opens the document in the address; without one the first scenario plays. */
async function openAddress(): Promise<void> {
  if (!carriesDocument(location.hash)) return
  opening.value = true
  const document = await documentIn(location.hash)
  const ownCode = document?.runs.some(({ own }) => own !== undefined) ?? false
  problem.value = null
  try {
    if (document !== null) await openDocument(document)
    else problem.value = UNREADABLE
  } catch {
    problem.value = ownCode ? NO_COMPILER : UNREADABLE
  }
  opening.value = false
}

/** Opens the files that `conclave lab FILE` serves, or that an exported page has in it. */
async function openFiles(): Promise<void> {
  opening.value = true
  problem.value = await openServed()
  opening.value = false
}

if (carriesDocument(location.hash)) void openAddress()
else if (hasFiles()) void openFiles()
else begin()
render(<App />, document.getElementById('lab')!)
listenToKeys(player)
listenToDrops()
addEventListener('hashchange', () => void openAddress())
