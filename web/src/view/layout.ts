import { batch, computed, signal } from '@preact/signals'

/** The parts around the stage that can be hidden. */
export type PagePart = 'scenario' | 'diagram' | 'figures'

const LITTLE_ROOM = matchMedia('(max-width: 900px), (max-height: 560px)')

/** Whether parts cover the stage, one at a time, on a small screen. */
export const cramped = signal(LITTLE_ROOM.matches)
export const parts = signal<ReadonlySet<PagePart>>(usual())
/** Embedded in slides: the stage and the clock only. */
export const embedded = new URLSearchParams(location.search).has('embed')
/** Presentation mode for projectors: the views, the caption and the clock only. */
export const presenting = signal(false)

/** The scale of words and nodes in presentation mode. */
export const enlarged = computed(() => (presenting.value ? 1.5 : 1))

LITTLE_ROOM.addEventListener('change', ({ matches }) => {
  batch(() => {
    cramped.value = matches
    parts.value = usual()
  })
})

function usual(): ReadonlySet<PagePart> {
  return new Set(LITTLE_ROOM.matches ? [] : (['scenario', 'diagram', 'figures'] as const))
}

export function toggle(part: PagePart): void {
  const others = [...parts.value].filter((other) => other !== part)
  const shown = parts.value.has(part) ? [] : [part]
  parts.value = new Set([...(cramped.value && shown.length > 0 ? [] : others), ...shown])
}

export function present(wanted = !presenting.value): void {
  presenting.value = wanted
}
