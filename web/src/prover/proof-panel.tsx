import { useEffect } from 'preact/hooks'
import { enumerated, grouped } from '../../../src/core/text-format.ts'
import { FailureNote } from '../checker/next-events.tsx'
import type { ProvedClause } from '../engine/checker/protocol.ts'
import { counterexampleShown } from '../model/check-outcome.ts'
import { Icon } from '../view/icon.tsx'
import {
  clauseChosen,
  type FoundProof,
  forgetProof,
  type ProofSubject,
  proof,
  proofFailure,
  proving,
  showCounterexample,
  startProof,
  stopProof,
} from './proof.ts'
import './prover.css'

interface Props {
  /** Null: there is nothing to prove now. */
  readonly subject: () => Promise<ProofSubject | null> | ProofSubject | null
  /** What was found is about something else as soon as this changes. */
  readonly about: string
  /** Whether what was found before stays, marked as such. */
  readonly keeps?: boolean
  readonly ready?: boolean
  /** Whether the first attempt leaves out all clauses that the definition states. */
  readonly bare?: boolean
}

/** Proves for every n, and shows a verdict for each clause. */
export function ProofPanel({ subject, about, keeps = false, ready = true, bare = false }: Props) {
  useEffect(() => forgetProof, [])
  useEffect(() => {
    if (!keeps) forgetProof()
  }, [about])
  const begin = async () => {
    const wanted = await subject()
    if (wanted === null) return
    startProof(
      wanted,
      bare && proof.value === null ? { only: [] } : { without: namesLeftOut(proof.value) },
    )
  }
  const running = proving.value
  const found = proof.value
  const former = keeps && found !== null && found.subject.code?.source !== about
  return (
    <section class="proof" aria-label="Prove">
      <p class="bar">
        {running === null ? (
          <button type="button" class={keeps ? '' : 'primary'} disabled={!ready} onClick={begin}>
            <Icon name="holds" /> Prove for every n
          </button>
        ) : (
          <button type="button" onClick={stopProof}>
            Stop proving
          </button>
        )}
        <output>
          {running !== null && `Proving, ${((running.now - running.since) / 1000).toFixed(0)} s`}
        </output>
      </p>
      <FailureNote failure={proofFailure.value} />
      {found !== null && (
        <div class={former ? 'former' : ''}>
          {former && <p role="status">Of the code before your last change:</p>}
          <Proof found={found} />
        </div>
      )}
    </section>
  )
}

function namesLeftOut(found: FoundProof | null): string[] {
  const unused = found?.clauses.filter(({ verdict }) => verdict === 'left out') ?? []
  return unused.map(({ name }) => name)
}

const HEADLINES = {
  proved: ['holds', 'Proved for every n, every choice of ids and every schedule.'],
  open: ['open', 'Not proved. This does not say that it is wrong.'],
  refused: ['open', 'No proof of this kind is possible.'],
} as const

function Proof({ found }: { readonly found: FoundProof }) {
  const { clauses, verdict, refusal, unshown } = found
  const [tone, headline] = HEADLINES[verdict]
  const goals = clauses.filter(({ from }) => from === 'goal')
  const stated = clauses.filter(({ from }) => from === 'stated')
  return (
    <div class="verdicts">
      <p role="status" class={`headline ${tone}`}>
        {headline}
      </p>
      {unshown !== null && <p class="note">{unshown}</p>}
      <p class="note">{refusal === null ? scopeOf(found) : `Refused: ${refusal}`}</p>
      <ul aria-label="What must always hold">
        {goals.map((clause) => (
          <ClauseLine key={clause.name} clause={clause} found={found} />
        ))}
      </ul>
      {stated.length > 0 && (
        <>
          <h3>Clauses of the definition: tick those to use</h3>
          <ul aria-label="Clauses of the definition">
            {stated.map((clause) => (
              <ClauseLine key={clause.name} clause={clause} found={found} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** For which links it is proved, or was tried. */
function scopeOf({ for: links, verdict, steps, seconds }: FoundProof): string {
  const tried = `${grouped(steps)} steps on small networks, ${seconds.toFixed(1)} s.`
  if (verdict !== 'proved' || links === null) return tried
  const happens = [
    'lost',
    ...(links.order === 'any' ? ['overtaken'] : []),
    ...(links.duplicates ? ['doubled'] : []),
  ]
  return `Messages may be ${enumerated(happens)}. ${tried}`
}

const ICONS = { proved: 'holds', open: 'question', 'left out': 'minus' } as const
const TONES = { proved: 'holds', open: 'open', 'left out': 'unused' } as const

function ClauseLine(props: { readonly clause: ProvedClause; readonly found: FoundProof }) {
  const { clause, found } = props
  const { name, from, verdict } = clause
  const shown = counterexampleShown.value?.clause === name
  const chosen = clauseChosen.value
  const network = found.topology === 'ring' ? 'ring' : 'complete network'
  const says = {
    proved: `proved for every ${network}`,
    open: 'not proved',
    'left out': 'left out',
  }[verdict]
  const words = (
    <span>
      <strong>{name}</strong>: {says}
    </span>
  )
  return (
    <li class={TONES[verdict]}>
      <Icon name={ICONS[verdict]} />
      {from === 'stated' ? (
        <label>
          <input
            type="checkbox"
            checked={chosen?.name === name ? chosen.used : verdict !== 'left out'}
            disabled={proving.value !== null}
            onChange={({ currentTarget }) => chooseClause(found, name, currentTarget.checked)}
          />
          {words}
        </label>
      ) : (
        words
      )}
      {clause.counterexample !== null && (
        <button
          type="button"
          class="small"
          aria-pressed={shown}
          onClick={() => showCounterexample(shown ? null : name)}
        >
          Show why
          <span class="unseen"> "{name}" is not proved</span>
        </button>
      )}
    </li>
  )
}

/** Proves again with a clause, or without it. */
function chooseClause(found: FoundProof, name: string, used: boolean): void {
  const others = namesLeftOut(found).filter((other) => other !== name)
  startProof(found.subject, { without: used ? others : [...others, name] })
  clauseChosen.value = { name, used }
}
