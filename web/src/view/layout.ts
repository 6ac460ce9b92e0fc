import { batch, computed, signal } from '@preact/signals'
import { recall, remember } from '../address/kept.ts'
import { place } from '../model/place.ts'

/** The parts around the stage that can be hidden. */
export const PARTS = ['scenario', 'diagram', 'figures', 'changes'] as const
export type PagePart = (typeof PARTS)[number]

const LITTLE_ROOM = matchMedia('(max-width: 900px), (max-height: 560px)')
const UPRIGHT = matchMedia('(max-width: 700px) and (max-aspect-ratio: 1)')
const MEDIUM = matchMedia('(max-width: 1180px)')

/** Whether there is room for one part beside the stage at most. */
export const cramped = signal(LITTLE_ROOM.matches)
/** A phone held upright: parts are sheets below the stage, opened by tabs at the bottom. */
export const stacked = signal(UPRIGHT.matches)
export const parts = signal<ReadonlySet<PagePart>>(usual())
/** Embedded in slides: the stage and the clock only. */
export const embedded = new URLSearchParams(location.search).has('embed')
/** Presentation mode for projectors: the views, the caption and the clock only. */
export const presenting = signal(false)

const smallerSide = signal(0)
/** The scale of words and nodes in presentation mode, larger on large projectors. */
export const enlarged = computed(() =>
  presenting.value ? Math.max(1.5, smallerSide.value / 540) : 1,
)
const measure = () => {
  smallerSide.value = Math.min(innerWidth, innerHeight)
}
measure()
addEventListener('resize', measure)

for (const query of [LITTLE_ROOM, UPRIGHT, MEDIUM])
  query.addEventListener('change', () => {
    batch(() => {
      const fitted = cramped.value !== LITTLE_ROOM.matches || query === MEDIUM
      cramped.value = LITTLE_ROOM.matches
      stacked.value = UPRIGHT.matches
      if (fitted) parts.value = usual()
    })
  })

/** The parts that were shown last, or those that fit; with little room none. */
function usual(): ReadonlySet<PagePart> {
  if (LITTLE_ROOM.matches) return new Set()
  const kept = recall('parts')
  if (Array.isArray(kept)) return new Set(PARTS.filter((part) => kept.includes(part)))
  const scenario = MEDIUM.matches ? [] : (['scenario'] as const)
  return new Set([...scenario, 'diagram', 'figures', 'changes'])
}

/** Shows or hides a part; with little room it replaces the others. */
export function toggle(part: PagePart): void {
  const shown = parts.value.has(part)
  if (cramped.value) {
    parts.value = new Set(shown ? [] : [part])
    return
  }
  const wanted = PARTS.filter((one) => (one === part) !== parts.value.has(one))
  parts.value = new Set(wanted)
  remember('parts', wanted)
}

/** Where the text of a lesson was before its picture was presented. */
let scrolled = 0

/** Begins or ends the presentation, on the whole screen where the browser allows that. */
export function present(wanted = !presenting.value): void {
  if (place.value.name === 'lessons') return
  if (wanted) scrolled = scrollY
  presenting.value = wanted
  if (wanted) document.documentElement.requestFullscreen?.().catch(() => {})
  else if (document.fullscreenElement) void document.exitFullscreen()
}

// Escape ends both: the browser takes the key while the page has the whole screen.
document.addEventListener('fullscreenchange', () => {
  if (document.fullscreenElement === null) presenting.value = false
})
presenting.subscribe((begun) => {
  if (!begun) requestAnimationFrame(() => scrollTo(0, scrolled))
})

/** Gives keys to the run: no control has the focus. */
export function focusStage(): void {
  document.querySelector<HTMLElement>('.stages')?.focus({ preventScroll: true })
}
