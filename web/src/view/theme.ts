import { computed, signal } from '@preact/signals'
import { keepSignal } from '../address/kept.ts'

/** The custom properties of style.css that canvases draw with. */
const NAMES = [
  'paper',
  'surface',
  'sunken',
  'ink',
  'soft',
  'line',
  'edge',
  'accent',
  'tint',
  'danger',
  'good',
  'asleep',
  'unknown',
  'lost',
  'leader',
  'dead',
  'on-asleep',
  'on-unknown',
  'on-lost',
  'on-leader',
  'quiet',
  'message',
  'acting',
  'tree',
  'core',
  'rejected',
  'good-tint',
  'danger-tint',
  'warning',
] as const
const TYPES = 8
const GROUPS = 8

type Named = Readonly<Record<(typeof NAMES)[number], string>>

export type PageTheme = Named & {
  /** For types of messages, in their order; there may be more types than colours. */
  readonly types: readonly string[]
  /** For nodes that belong together: areas behind them, on which `ink` can be read. */
  readonly groups: readonly string[]
}

const SCHEMES = ['auto', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** The colour scheme of the user; auto follows the system. */
export const scheme = signal<Scheme>('auto')
keepSignal('colours', scheme, (value): value is Scheme => SCHEMES.includes(value as Scheme))
const system = signal(0)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => system.value++)

/** The current colours; a signal that changes with the scheme. */
export const theme = computed<PageTheme>(() => {
  system.value
  document.documentElement.style.colorScheme = scheme.value === 'auto' ? '' : scheme.value
  // A canvas does not resolve custom properties: an element does.
  const probe = document.createElement('i')
  // Forced colours are for text and controls: the ink of a canvas keeps its meaning.
  probe.style.setProperty('forced-color-adjust', 'none')
  document.body.append(probe)
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const named = Object.fromEntries(NAMES.map((name) => [name, colour(name)])) as Named
  const list = (name: string, length: number) =>
    Array.from({ length }, (_, i) => colour(`${name}-${i}`))
  const [types, groups] = [list('type', TYPES), list('group', GROUPS)]
  probe.remove()
  return { ...named, types, groups }
})

/** Cycles through auto, light and dark. */
export function nextScheme(): void {
  scheme.value = SCHEMES[(SCHEMES.indexOf(scheme.value) + 1) % SCHEMES.length]
}
