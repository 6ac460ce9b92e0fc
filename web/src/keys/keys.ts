import { signal } from '@preact/signals'
import { type Player, SPEEDS } from '../model/player.ts'
import { chooseNextFlight, chooseNextNode, chooseNothing } from '../model/selection.ts'
import { present } from '../view/layout.ts'

/** Whether the list of keys is shown. */
export const keysShown = signal(false)

export interface Binding {
  /** Values of `key` of a keyboard event. */
  readonly keys: readonly string[]
  readonly says: string
  readonly act: (player: Player) => void
}

/** The key bindings; presenter remotes send arrows and page keys. */
export const bindings: readonly Binding[] = [
  { keys: [' ', 'k'], says: 'play or pause', act: (player) => player.toggle() },
  { keys: ['ArrowRight'], says: 'next event', act: (player) => player.move(1) },
  { keys: ['ArrowLeft'], says: 'event before', act: (player) => player.move(-1) },
  { keys: ['PageDown', '.'], says: 'next moment or round', act: (player) => player.moveMoments(1) },
  { keys: ['PageUp', ','], says: 'moment before', act: (player) => player.moveMoments(-1) },
  { keys: ['Home'], says: 'to the beginning', act: (player) => player.move(-Infinity) },
  { keys: ['End'], says: 'to the end', act: (player) => player.move(Infinity) },
  { keys: ['e'], says: 'to the next election', act: (player) => void player.jump('election') },
  { keys: ['c'], says: 'to the next crash', act: (player) => void player.jump('crash') },
  { keys: ['v'], says: 'to the next violation', act: (player) => void player.jump('violation') },
  { keys: [']'], says: 'faster', act: (player) => changeSpeed(player, 1) },
  { keys: ['['], says: 'slower', act: (player) => changeSpeed(player, -1) },
  { keys: ['n'], says: 'choose the next node', act: (player) => choose(player, 1, false) },
  { keys: ['b'], says: 'choose the node before', act: (player) => choose(player, -1, false) },
  { keys: ['N'], says: 'choose the next node too', act: (player) => choose(player, 1, true) },
  { keys: ['m'], says: 'choose the next message in flight', act: chooseMessage },
  { keys: ['Escape'], says: 'choose nothing', act: chooseNothing },
  { keys: ['p'], says: 'presentation on or off', act: () => present() },
  {
    keys: ['?'],
    says: 'this list',
    act: () => {
      keysShown.value = !keysShown.value
    },
  },
]

export function listenToKeys(player: Player): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return
    const binding = bindings.find(({ keys }) => keys.includes(event.key))
    if (binding === undefined) return
    event.preventDefault()
    binding.act(player)
  })
}

const MOVING = /^(Arrow|Page|Home|End)/

/** Whether the focused element handles a key: a field, a button, a dialog, the editor. */
function typing({ target, key }: KeyboardEvent): boolean {
  // A dialog gets all keys, also without focus in it.
  if (document.querySelector('dialog[open]') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  // A slider needs only the keys that move it.
  if (target.matches('input[type=range]')) return MOVING.test(key)
  if (target.closest('input, select, textarea, [contenteditable]')) return true
  return key === ' ' && target.closest('button, summary, a') !== null
}

function changeSpeed({ speed }: Player, by: 1 | -1): void {
  const place = SPEEDS.indexOf(speed.value) + by
  speed.value = SPEEDS[Math.min(Math.max(place, 0), SPEEDS.length - 1)]
}

function choose({ run }: Player, by: 1 | -1, withOthers: boolean): void {
  chooseNextNode(run.value.log.value?.world.n ?? 0, by, withOthers)
}

function chooseMessage({ run, step }: Player): void {
  chooseNextFlight([...(run.value.frame(step.value)?.open ?? [])])
}
