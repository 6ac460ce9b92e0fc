import { useSignal } from '@preact/signals'
import type { CheckResult } from '../../../src/check/check.ts'
import type { Snapshot } from '../../../src/check/index.ts'
import { checkMark } from '../../../src/core/text-format.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { askChecker } from '../model/checker.ts'
import { begin, replaceBranches } from '../model/lab.ts'
import { type Code, Run } from '../model/run.ts'
import type { RunFacts } from '../recording/run-log.ts'

interface Props {
  readonly code: () => Promise<Code | null>
  readonly scenario: ScenarioInput
  /** Whether the types are right. */
  readonly ready: boolean
}

interface Found {
  readonly result: CheckResult
  readonly world: RunFacts
  readonly snapshots: readonly Snapshot[]
  readonly code: Code
}

interface Row {
  readonly n: number
  readonly totals: readonly number[]
}

/** Explores all interleavings of own code on a small network, or measures it on growing ones. */
export function CheckPanel({ code, scenario, ready }: Props) {
  const n = useSignal(3)
  const said = useSignal('')
  const found = useSignal<Found | null>(null)
  const rows = useSignal<readonly Row[]>([])

  const ask = async (want: 'explore' | 'measure') => {
    const own = await code()
    if (own === null) return
    found.value = null
    rows.value = []
    said.value = want === 'explore' ? 'Exploring…' : 'Measuring…'
    const kind = String(scenario.topology).split(':')[0]
    const topology = kind === 'random' ? `random:${n.value}:1` : `${kind}:${n.value}`
    const request = { scenario: { topology }, code: own, want }
    for await (const answer of askChecker(request)) {
      if (answer.what === 'explored') {
        found.value = { ...answer, code: own }
        said.value = ''
      }
      if (answer.what === 'measured') {
        rows.value = [...rows.value, answer]
        said.value = answer.broken === null ? '' : `Broken at n=${answer.n}, ${answer.broken}`
        if (answer.broken !== null || answer.n === LAST_SIZE) return
      }
      if (answer.what === 'refused' || answer.what === 'failed') said.value = answer.message
    }
  }

  return (
    <div class="exploration">
      <p class="bar">
        <label>
          Nodes{' '}
          <input
            class="field"
            type="number"
            min={2}
            max={8}
            value={n.value}
            onInput={({ currentTarget }) => {
              n.value = Number(currentTarget.value) || 3
            }}
          />
        </label>
        <button type="button" disabled={!ready} onClick={() => ask('explore')}>
          Explore every interleaving
        </button>
        <button type="button" disabled={!ready} onClick={() => ask('measure')}>
          Measure
        </button>
        <output>{said.value}</output>
      </p>
      {found.value !== null && <Findings {...found.value} />}
      {rows.value.length > 0 && <Measurements rows={rows.value} />}
    </div>
  )
}

const LAST_SIZE = 256

function Findings({ result, world, snapshots, code }: Found) {
  const { violated, states, transitions, exhausted, properties } = result
  const decided = properties.filter(({ holds }) => holds !== null)
  const open = properties.filter(({ holds }) => holds === null)
  const watch = () => {
    if (violated === null) return
    const { events, property } = violated
    const detail = properties.find(({ name }) => name === property)?.detail ?? ''
    replaceBranches([
      Run.recorded({ world, events, snapshots, broken: { property, detail } }, code),
    ])
    begin()
  }
  return (
    <div class="findings">
      <p>
        {states} states, {transitions} transitions{exhausted ? '' : ': not all of them'}
      </p>
      <ul>
        {decided.map(({ name, holds, detail }) => (
          <li key={name} class={holds ? '' : 'broken'}>
            {checkMark(holds === true)} {name}: {detail}
          </li>
        ))}
        {open.length > 0 && (
          <li>
            ? {open.map(({ name }) => name).join(', ')}: {open[0].detail}
          </li>
        )}
      </ul>
      {violated !== null && (
        <>
          <p class="bar">
            <strong>A counterexample in {violated.trace.length} steps</strong>
            <button type="button" onClick={watch}>
              Watch it
            </button>
          </p>
          <ol>
            {violated.trace.map(({ text, at }, i) => (
              <li key={`${at}-${i}`}>{text}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

function Measurements({ rows }: { readonly rows: readonly Row[] }) {
  const mean = ({ totals }: Row) => totals.reduce((sum, total) => sum + total, 0) / totals.length
  return (
    <table class="measurements">
      <thead>
        <tr>
          {['n', 'messages', 'per n', 'per n log₂ n', 'per n²'].map((head) => (
            <th key={head}>{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.n}>
            {[
              row.n,
              mean(row).toFixed(1),
              (mean(row) / row.n).toFixed(2),
              (mean(row) / (row.n * Math.log2(row.n))).toFixed(3),
              (mean(row) / row.n ** 2).toFixed(4),
            ].map((cell, i) => (
              <td key={i}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
