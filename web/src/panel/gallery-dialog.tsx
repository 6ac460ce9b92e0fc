import { batch, signal } from '@preact/signals'
import { sourceTexts } from '../../../src/core/language/theory.ts'
import { entryNamed } from '../model/algorithm-list.ts'
import { begin, open as openScenario, player } from '../model/lab.ts'
import { Dialog } from '../view/dialog.tsx'
import { type Exhibit, gallery } from './gallery.ts'
import './gallery.css'

/** Whether the gallery is open. */
const galleryOpen = signal(false)

/** The scenarios of the gallery, one card each. */
export function Gallery() {
  return (
    <>
      <button
        type="button"
        class="flat"
        aria-haspopup="dialog"
        onClick={() => {
          galleryOpen.value = true
        }}
      >
        Gallery
      </button>
      <Dialog open={galleryOpen} title="Gallery" class="gallery">
        {gallery.map(({ title, exhibits }) => (
          <section key={title} class="room" aria-label={title}>
            <h3>{title}</h3>
            <ul>
              {exhibits.map((exhibit) => (
                <li key={exhibit.title}>
                  <Card exhibit={exhibit} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Dialog>
    </>
  )
}

function Card({ exhibit }: { readonly exhibit: Exhibit }) {
  const { title, watch, source, scenario } = exhibit
  return (
    <button type="button" class="card" onClick={() => show(exhibit)}>
      <NetworkSign kind={entryNamed(scenario.algorithm)?.network ?? 'any'} />
      <strong>{title}</strong>
      <span>{watch}</span>
      {source && <small>From {sourceTexts[source]}</small>}
    </button>
  )
}

function show({ scenario, speed = 1 }: Exhibit): void {
  batch(() => {
    galleryOpen.value = false
    player.speed.value = speed
    openScenario(scenario)
  })
  begin()
}

const SIGNS = {
  ring: [0, 1, 2, 3, 4, 5].map((i) => [i, (i + 1) % 6]),
  complete: [0, 1, 2, 3, 4, 5].flatMap((i) => [0, 1, 2, 3, 4, 5].slice(i + 1).map((j) => [i, j])),
  any: [
    [0, 1],
    [0, 5],
    [1, 2],
    [1, 4],
    [4, 3],
  ],
  gossip: [
    [0, 3],
    [1, 5],
    [2, 4],
  ],
} as const

/** A small picture of the kind of network. */
function NetworkSign({ kind }: { readonly kind: keyof typeof SIGNS }) {
  const place = (i: number) => [10 * Math.sin((i * Math.PI) / 3), -10 * Math.cos((i * Math.PI) / 3)]
  return (
    <svg class="sign" viewBox="-14 -14 28 28" aria-hidden="true">
      {SIGNS[kind].map(([a, b]) => {
        const [x1, y1] = place(a)
        const [x2, y2] = place(b)
        return <line key={`${a} ${b}`} x1={x1} y1={y1} x2={x2} y2={y2} stroke="var(--edge)" />
      })}
      {[0, 1, 2, 3, 4, 5].map((i) => {
        const [cx, cy] = place(i)
        const leads = i === 0 && kind !== 'gossip'
        return (
          <circle
            key={i}
            cx={cx}
            cy={cy}
            r={leads ? 3.5 : 2.5}
            fill={leads ? 'var(--leader)' : 'var(--unknown)'}
          />
        )
      })}
    </svg>
  )
}
