import { render } from 'preact'
import { App } from './app.tsx'
import { listenToKeys } from './keys/keys.ts'
import { player } from './model/lab.ts'
import './style.css'

render(<App />, document.getElementById('lab')!)
listenToKeys(player)
player.play()
