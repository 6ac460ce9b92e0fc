import { render } from 'preact'
import { App } from './app.tsx'
import { listenToKeys } from './keys/keys.ts'
import { openDocument } from './model/document.ts'
import { begin, player, problem } from './model/lab.ts'
import { carriesDocument, documentIn } from './sharing/link.ts'
import { listenToDrops } from './sharing/opening.ts'
import './style.css'

/** Opens what the address carries; without it the first scenario plays by itself. */
async function openAddress(): Promise<void> {
  if (!carriesDocument(location.hash)) return
  const document = await documentIn(location.hash)
  if (document !== null) await openDocument(document)
  else problem.value = 'The link cannot be read: it may have been cut when it was copied.'
}

render(<App />, document.getElementById('lab')!)
listenToKeys(player)
listenToDrops()
addEventListener('hashchange', () => void openAddress())
if (carriesDocument(location.hash)) void openAddress()
else begin()
