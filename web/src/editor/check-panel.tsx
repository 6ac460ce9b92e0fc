import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { Explored, RunningSearch, SearchFailure } from '../checker/exploration.ts'
import { FailureNote } from '../checker/next-events.tsx'
import { Progress } from '../checker/search-panel.tsx'
import { Verdicts } from '../checker/verdicts.tsx'
import type { CheckerRequest } from '../engine/checker/protocol.ts'
import type { EngineAnswer } from '../engine/protocol.ts'
import { startChecker } from '../model/checker.ts'
import { type Code, failureOf } from '../model/run.ts'
import { ProofPanel } from '../prover/proof-panel.tsx'
import '../checker/checker.css'

interface Props {
  readonly code: () => Promise<Code | null>
  /** The text in the editor. */
  readonly source: string
  readonly scenario: ScenarioInput
  /** Whether the types are right. */
  readonly ready: boolean
}

interface Row {
  readonly n: number
  readonly totals: readonly number[]
}

/** What was found out about some version of the code. */
interface Finding {
  readonly of: Code
  readonly explored: Explored | null
  readonly rows: readonly Row[]
  readonly broken: string | null
  readonly failure: SearchFailure | null
}

const LAST_SIZE = 256
/** Enough for a few nodes; takes seconds. */
const STATES = 300_000

/** Explores all interleavings of own code on a small network, or measures it on growing ones. */
export function CheckPanel({ code, source, scenario, ready }: Props) {
  const n = useSignal(3)
  const search = useSignal<(RunningSearch & { readonly want: 'explore' | 'measure' }) | null>(null)
  const finding = useSignal<Finding | null>(null)
  const end = useRef(() => {})
  useEffect(() => () => end.current(), [])

  const stop = () => {
    end.current()
    search.value = null
  }
  const ask = async (want: 'explore' | 'measure') => {
    const own = await code()
    if (own === null) return
    stop()
    const kind = String(scenario.topology).split(':')[0]
    const topology = kind === 'random' ? `random:${n.value}:1` : `${kind}:${n.value}`
    const subject = { settings: { algorithm: 'own', given: { topology }, asked: {} }, code: own }
    const request: CheckerRequest =
      want === 'measure'
        ? { scenario: { topology }, code: own, want }
        : { ...subject, want, states: STATES, worst: null }
    const since = performance.now()
    finding.value = { of: own, explored: null, rows: [], broken: null, failure: null }
    search.value = { want, progress: null, since, now: since }
    const beat = setInterval(() => {
      if (search.value !== null) search.value = { ...search.value, now: performance.now() }
    }, 500)
    const found = (part: Partial<Finding>) => {
      finding.value = { ...finding.value!, ...part }
    }
    const take = (answer: EngineAnswer) => {
      const now = performance.now()
      if (answer.what === 'progress') search.value = { want, progress: answer.progress, since, now }
      if (answer.what === 'explored')
        found({ explored: { ...answer, subject, seconds: (now - since) / 1000 } })
      if (answer.what === 'measured')
        found({
          rows: [...finding.value!.rows, answer],
          broken: answer.broken && `Broken at n=${answer.n}, ${answer.broken}`,
        })
      if (answer.what === 'refused') found({ failure: { message: answer.message } })
      if (answer.what === 'failed') found({ failure: failureOf(answer, own) })
      const last = answer.what === 'measured' && answer.broken === null && answer.n < LAST_SIZE
      if (answer.what !== 'progress' && !last) stop()
    }
    const finish = startChecker(request, take)
    end.current = () => {
      clearInterval(beat)
      finish()
    }
  }

  const { value: found } = finding
  const running = search.value
  return (
    <div class="exploration checker">
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
        {running !== null && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </p>
      <output>
        {running?.want === 'explore' && <Progress {...running} most={STATES} />}
        {running?.want === 'measure' && 'Measuring…'}
      </output>
      {found !== null && (
        <div class={found.of.source === source ? 'findings' : 'findings former'}>
          {found.of.source !== source && <p role="status">Of the code before your last change:</p>}
          <FailureNote failure={found.failure} />
          {found.explored !== null && <Verdicts found={found.explored} alone />}
          {found.broken !== null && <p class="broken">{found.broken}</p>}
          {found.rows.length > 0 && <Measurements rows={found.rows} />}
        </div>
      )}
      <ProofPanel
        subject={async () => {
          const own = await code()
          return own && { algorithm: 'own', code: own }
        }}
        about={source}
        keeps
        ready={ready}
      />
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
