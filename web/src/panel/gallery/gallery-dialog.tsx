import { useSignal } from '@preact/signals'
import { sourceTexts } from '../../../../src/core/language/theory.ts'
import { goTo } from '../../address/history.ts'
import { namesOf, offeredAlgorithm } from '../../model/algorithm-list.ts'
import { finishDialog } from '../../view/dialogs.tsx'
import { type Exhibit, type GalleryRoom, gallery, slugOf } from '../gallery.ts'
import { factsOf, LEVELS } from './card-facts.ts'
import { NetworkPicture } from './network-picture.tsx'
import './gallery.css'

/** The scenarios of the gallery, one card each, by network or the easiest first. */
export function Gallery() {
  const wanted = useSignal('')
  const order = useSignal<'network' | 'level'>('network')
  const rooms = (order.value === 'network' ? gallery : byLevel())
    .map(({ title, exhibits }) => ({
      title,
      exhibits: exhibits.filter((exhibit) => matches(exhibit, wanted.value)),
    }))
    .filter(({ exhibits }) => exhibits.length > 0)
  return (
    <>
      <div class="finding">
        <input
          class="field"
          type="search"
          aria-label="Find an exhibit"
          placeholder="Find: bully, crash, average"
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value
          }}
        />
        <select
          aria-label="Order"
          value={order.value}
          onChange={({ currentTarget }) => {
            order.value = currentTarget.value as 'network' | 'level'
          }}
        >
          <option value="network">by network</option>
          <option value="level">the easiest first</option>
        </select>
      </div>
      {rooms.length === 0 && <p role="status">No exhibit has these words.</p>}
      {rooms.map(({ title, exhibits }) => (
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
    </>
  )
}

function byLevel(): GalleryRoom[] {
  const all = gallery.flatMap(({ exhibits }) => exhibits)
  return LEVELS.map((level) => ({
    title: level.charAt(0).toUpperCase() + level.slice(1),
    exhibits: all.filter((exhibit) => factsOf(exhibit).level === level),
  }))
}

function matches({ title, watch, scenario }: Exhibit, wanted: string): boolean {
  const entry = offeredAlgorithm(scenario.algorithm)
  const names = entry === null ? [scenario.algorithm] : namesOf(entry)
  const text = `${title} ${watch} ${names.join(' ')}`.toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function Card({ exhibit }: { readonly exhibit: Exhibit }) {
  const { title, watch, source } = exhibit
  const { level, seconds } = factsOf(exhibit)
  const after = source && `after ${sourceTexts[source]}`
  return (
    <button type="button" class="card" onClick={() => show(exhibit)}>
      <NetworkPicture exhibit={exhibit} />
      <strong>{title}</strong>
      <span>{watch}</span>
      <small>{[level, `${seconds} s`, after].filter(Boolean).join(' · ')}</small>
    </button>
  )
}

function show(exhibit: Exhibit): void {
  finishDialog()
  goTo({ name: 'exhibit', exhibit: slugOf(exhibit) })
}
