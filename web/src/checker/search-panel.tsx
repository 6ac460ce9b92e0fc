import { counted, grouped } from '../../../src/core/text-format.ts'
import { Icon } from '../view/icon.tsx'
import { explorationCommand } from './check-settings.ts'
import {
  exploreSubject,
  found,
  mostStates,
  type RunningSearch,
  search,
  stopSearch,
  subject,
  worst,
} from './exploration.ts'
import { Commands, Verdicts } from './verdicts.tsx'

/**
 * Starts and stops the search, and shows how far it is and what it has found. `fixed`: what is
 * computed is not for the user to choose.
 */
export function SearchPanel({ fixed = false }: { readonly fixed?: boolean }) {
  const running = search.value
  return (
    <section class="search" aria-label="Explore">
      <p class="bar">
        {running === null ? (
          <button type="button" class="primary" onClick={exploreSubject}>
            <Icon name="check" /> Explore every order
          </button>
        ) : (
          <button type="button" onClick={stopSearch}>
            Stop
          </button>
        )}
        {!fixed && <WorstChoice />}
      </p>
      <output>{running !== null && <Progress {...running} most={mostStates.value} />}</output>
      {found.value !== null && <Verdicts found={found.value} />}
    </section>
  )
}

function WorstChoice() {
  return (
    <label>
      Worst case{' '}
      <select
        class="field"
        onChange={({ currentTarget: { value } }) => {
          worst.value = value === 'none' ? null : (value as 'messages' | 'time')
        }}
      >
        <option value="none" selected={worst.value === null}>
          not computed
        </option>
        <option value="messages" selected={worst.value === 'messages'}>
          of messages
        </option>
        <option value="time" selected={worst.value === 'time'}>
          of time
        </option>
      </select>
    </label>
  )
}

/** The command that explores the same in a terminal. */
export function SameCommand() {
  const about = subject.value
  if (about === null) return null
  const limits = { states: mostStates.value, worst: worst.value }
  const own = about.code === null ? null : fileOf(about.code.path)
  return <Commands command={explorationCommand(about.settings, limits, own)} />
}

/** The file of own code as a command names it. */
function fileOf(path: string): string {
  return path.split('/').at(-1) ?? path
}

/** How far a search is. */
export function Progress(props: RunningSearch & { readonly most: number }) {
  const { progress, since, now, most } = props
  const seconds = Math.max(0.001, (now - since) / 1000)
  if (progress === null) return <span class="progress">Exploring, {seconds.toFixed(0)} s</span>
  const { states, depth, frontier, graph, examined } = progress
  const queue = `${grouped(frontier)} still to be looked at`
  const part =
    examined !== undefined
      ? 'in the graph of runs, which is examined'
      : `${graph ? 'in the graph of runs' : `depth ${grouped(depth)}`}, ${queue}`
  return (
    <span class="progress">
      {counted(states, 'state')} ({grouped(Math.round(states / seconds))} a second), {part}
      <progress max={most} value={states} aria-label="States explored, of the limit" />
    </span>
  )
}
