import { render } from 'preact'
import { keepSpeed, startHistory } from './address/history.ts'
import { App } from './app.tsx'
import { listenToKeys } from './keys/keys.ts'
import { embeddedJson } from './model/document.ts'
import { opening, player, problem } from './model/lab.ts'
import './style.css'

/** Opens the files that `conclave lab FILE` serves, or that an exported page has in it. */
async function openFiles(): Promise<void> {
  opening.value = 'Opening the file ...'
  const { openServed } = await import('./sharing/opening.ts')
  problem.value = await openServed()
  opening.value = null
}

/** A file that is dropped anywhere on the page is opened. */
function listenToDrops(): void {
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
  addEventListener('drop', async (event) => {
    const [file] = event.dataTransfer?.files ?? []
    if (file === undefined) return
    event.preventDefault()
    const { openFile } = await import('./sharing/opening.ts')
    problem.value = await openFile(await file.text(), null, file.name)
  })
}

const hasFiles = embeddedJson() !== null || new URLSearchParams(location.search).has('open')

keepSpeed()
const restored = startHistory(hasFiles ? openFiles : null)
// The first place is that of the address, unless a link takes a while to open.
if (opening.value === null) await restored
render(<App />, document.getElementById('lab')!)
listenToKeys(player)
listenToDrops()
