import { signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
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

type Want = 'explore' | 'measure'

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

/** A search in own code, and what it has found so far. */
class OwnSearch {
  readonly running = signal<(RunningSearch & { readonly want: Want }) | null>(null)
  readonly finding = signal<Finding | null>(null)
  private end = () => {}

  stop(): void {
    this.end()
    this.running.value = null
  }

  start(own: Code, want: Want, topology: string): void {
    this.stop()
    const since = performance.now()
    this.finding.value = { of: own, explored: null, rows: [], broken: null, failure: null }
    this.running.value = { want, progress: null, since, now: since }
    const beat = setInterval(() => {
      const { value } = this.running
      if (value !== null) this.running.value = { ...value, now: performance.now() }
    }, 500)
    const subject = { settings: { algorithm: 'own', given: { topology }, asked: {} }, code: own }
    const request: CheckerRequest =
      want === 'measure'
        ? { scenario: { topology }, code: own, want }
        : { ...subject, want, states: STATES, worst: null }
    const finish = startChecker(request, (answer) => {
      const now = performance.now()
      if (answer.what === 'progress')
        this.running.value = { want, progress: answer.progress, since, now }
      else this.take(answer, subject, (now - since) / 1000)
    })
    this.end = () => {
      clearInterval(beat)
      finish()
    }
  }

  private take(answer: EngineAnswer, subject: Explored['subject'], seconds: number): void {
    const found = this.finding.value!
    const add = (part: Partial<Finding>) => {
      this.finding.value = { ...found, ...part }
    }
    if (answer.what === 'explored') add({ explored: { ...answer, subject, seconds } })
    if (answer.what === 'measured')
      add({
        rows: [...found.rows, answer],
        broken: answer.broken && `Broken at n=${answer.n}, ${answer.broken}`,
      })
    if (answer.what === 'refused') add({ failure: { message: answer.message } })
    if (answer.what === 'failed') add({ failure: failureOf(answer, found.of) })
    const more = answer.what === 'measured' && answer.broken === null && answer.n < LAST_SIZE
    if (!more) this.stop()
  }
}

/** Explores all interleavings of own code on a small network, or measures it on growing ones. */
export function CheckPanel({ code, source, scenario, ready }: Props) {
  const n = useSignal(3)
  const search = useMemo(() => new OwnSearch(), [])
  useEffect(() => () => search.stop(), [search])
  const ask = async (want: Want) => {
    const own = await code()
    if (own === null) return
    const kind = String(scenario.topology).split(':')[0]
    search.start(own, want, kind === 'random' ? `random:${n.value}:1` : `${kind}:${n.value}`)
  }
  const running = search.running.value
  const found = search.finding.value
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
          <button type="button" onClick={() => search.stop()}>
            Stop
          </button>
        )}
      </p>
      <output>
        {running?.want === 'explore' && <Progress {...running} most={STATES} />}
        {running?.want === 'measure' && 'Measuring…'}
      </output>
      {found !== null && <Findings found={found} source={source} />}
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

function Findings({ found, source }: { readonly found: Finding; readonly source: string }) {
  const former = found.of.source !== source
  return (
    <div class={former ? 'findings former' : 'findings'}>
      {former && <p role="status">Of the code before your last change:</p>}
      <FailureNote failure={found.failure} />
      {found.explored !== null && <Verdicts found={found.explored} alone />}
      {found.broken !== null && <p class="broken">{found.broken}</p>}
      {found.rows.length > 0 && <Measurements rows={found.rows} />}
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
