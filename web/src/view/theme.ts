import { computed, signal } from '@preact/signals'

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
] as const
const TYPES = 8

type Named = Readonly<Record<(typeof NAMES)[number], string>>

export type PageTheme = Named & {
  /** For types of messages, in their order; there may be more types than colours. */
  readonly types: readonly string[]
}

const SCHEMES = ['auto', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** The colour scheme of the user; auto follows the system. */
export const scheme = signal<Scheme>('auto')
const system = signal(0)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => system.value++)

/** The current colours; a signal that changes with the scheme. */
export const theme = computed<PageTheme>(() => {
  system.value
  document.documentElement.style.colorScheme = scheme.value === 'auto' ? '' : scheme.value
  // A canvas does not resolve custom properties: an element does.
  const probe = document.createElement('i')
  document.body.append(probe)
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const named = Object.fromEntries(NAMES.map((name) => [name, colour(name)])) as Named
  const types = Array.from({ length: TYPES }, (_, i) => colour(`type-${i}`))
  probe.remove()
  return { ...named, types }
})

/** Cycles through auto, light and dark. */
export function nextScheme(): void {
  scheme.value = SCHEMES[(SCHEMES.indexOf(scheme.value) + 1) % SCHEMES.length]
}
