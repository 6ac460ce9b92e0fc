import { place } from '../model/place.ts'
import { type Player, SPEEDS } from '../model/player.ts'
import { chooseNextFlight, chooseNextNode, chooseNothing } from '../model/selection.ts'
import { SPEAKER_KEYS } from '../presentation/speaker.ts'
import { showDialog } from '../view/dialogs.tsx'
import { present, presenting } from '../view/layout.ts'

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
  { keys: ['End'], says: 'to the end', act: (player) => player.toEnd() },
  { keys: ['e'], says: 'to the next election', act: (player) => void player.jump('election') },
  { keys: ['c'], says: 'to the next crash', act: (player) => void player.jump('crash') },
  { keys: ['v'], says: 'to the next violation', act: (player) => void player.jump('violation') },
  { keys: [']'], says: 'faster', act: (player) => changeSpeed(player, 1) },
  { keys: ['['], says: 'slower', act: (player) => changeSpeed(player, -1) },
  { keys: ['n'], says: 'choose the next node', act: (player) => choose(player, 1, false) },
  { keys: ['b'], says: 'choose the node before', act: (player) => choose(player, -1, false) },
  {
    keys: ['N'],
    says: 'add the next node to the choice',
    act: (player) => choose(player, 1, true),
  },
  { keys: ['m'], says: 'choose the next message in flight', act: chooseMessage },
  { keys: ['Escape'], says: 'choose nothing', act: chooseNothing },
  { keys: ['p'], says: 'presentation on or off', act: () => present() },
  { keys: ['?'], says: 'this list', act: () => showDialog('keys') },
]

/** Whether the focused control was reached by Tab, not by a press of the pointer. */
let tabbed = false

export function listenToKeys(player: Player): void {
  const forget = () => {
    tabbed = false
  }
  addEventListener('pointerdown', forget)
  // The button that opened a dialog has the focus again, but Space is for the run.
  addEventListener('close', forget, true)
  addEventListener('keydown', (event) => {
    if (event.key === 'Tab') tabbed = true
    if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event)) return
    const now = presenting.value ? [...SPEAKER_KEYS, ...bindings] : bindings
    const binding = now.find(({ keys }) => keys.includes(event.key))
    if (binding === undefined) return
    event.preventDefault()
    binding.act(player)
  })
  // Some browsers press a button when the key comes up.
  addEventListener('keyup', (event) => {
    if (event.key === ' ' && !belongsToControl(event)) event.preventDefault()
  })
}

const TEXT = 'textarea, [contenteditable], input:not([type=range], [type=checkbox], [type=radio])'
/** The keys that change the number of a step. */
const DIGITS = /^(\d|Backspace|Delete|Enter|ArrowUp|ArrowDown)$/
const SCROLLING = /^( |Page|Home|End)/

/**
 * Whether a key is for the focused control. A control has its keys if it was reached by Tab; after
 * a press of the pointer they belong to the run, so that a presenter remote always does the same.
 */
export function belongsToControl({ target, key }: KeyboardEvent): boolean {
  // A dialog gets all keys, also without focus in it.
  if (document.querySelector('dialog[open], [popover]:popover-open') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('.time-bar input')) return DIGITS.test(key)
  if (target.closest(TEXT)) return true
  if (SCROLLING.test(key) && readsText(target)) return true
  if (target.matches('input[type=range], input[type=radio]')) return key.startsWith('Arrow')
  if (!tabbed) return false
  if (target.closest('select')) return !key.startsWith('Page')
  return key === ' ' && target.closest('button, summary, a, input') !== null
}

/** Whether these keys scroll the text of a lesson. */
function readsText(target: HTMLElement): boolean {
  return (
    place.value.name !== 'lab' &&
    !presenting.value &&
    target.closest('.stages, .stage-place, .time-bar') === null
  )
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
