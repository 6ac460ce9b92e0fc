import { batch, computed, signal } from '@preact/signals'

/** What stands beside the stage and can be put away. */
export type PagePart = 'scenario' | 'diagram' | 'figures'

const LITTLE_ROOM = matchMedia('(max-width: 900px), (max-height: 560px)')

/** Whether parts lie over the stage, one at a time, since there is no room beside it. */
export const cramped = signal(LITTLE_ROOM.matches)
export const parts = signal<ReadonlySet<PagePart>>(usual())
/** Inside a frame of somebody's slides: the stage and the clock, nothing else. */
export const embedded = new URLSearchParams(location.search).has('embed')
/** For projectors: nothing but the pictures, their caption and the clock. */
export const presenting = signal(false)

/** How much larger words and nodes are for people who sit far away. */
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
