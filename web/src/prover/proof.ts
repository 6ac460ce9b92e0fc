import { batch, signal } from '@preact/signals'
import type { SearchFailure } from '../checker/exploration.ts'
import type { PageProof, ProofRequest } from '../engine/checker/protocol.ts'
import { counterexampleShown, proofOutcome } from '../model/check-outcome.ts'
import { startChecker } from '../model/checker.ts'
import { type Code, failureOf } from '../model/run.ts'

/** What is proved: an algorithm of the catalogue, or own code. */
export interface ProofSubject {
  readonly algorithm: string
  readonly code: Code | null
}

export interface FoundProof extends PageProof {
  readonly subject: ProofSubject
  readonly seconds: number
}

/** An attempt that is going on. */
export interface RunningProof {
  readonly since: number
  readonly now: number
}

export const proof = signal<FoundProof | null>(null)
export const proving = signal<RunningProof | null>(null)
/** A clause that was ticked or not, until the proof with it or without it has ended. */
export const clauseChosen = signal<{ readonly name: string; readonly used: boolean } | null>(null)
export const proofFailure = signal<SearchFailure | null>(null)

let end = () => {}

export function stopProof(): void {
  end()
  end = () => {}
  proving.value = null
  clauseChosen.value = null
}

/** Forgets what was found, and shows the run again. */
export function forgetProof(): void {
  stopProof()
  batch(() => {
    proof.value = null
    proofFailure.value = null
    proofOutcome.value = null
    counterexampleShown.value = null
  })
}

/** Tries to prove the subject from some of the clauses that it states. */
export function startProof(subject: ProofSubject, clauses: ProofRequest['clauses']): void {
  stopProof()
  const { algorithm, code } = subject
  const since = performance.now()
  const beat = setInterval(() => {
    proving.value = { since, now: performance.now() }
  }, 500)
  batch(() => {
    proofFailure.value = null
    proving.value = { since, now: since }
  })
  const finish = startChecker({ want: 'prove', algorithm, code, clauses }, (answer) => {
    stopProof()
    batch(() => {
      if (answer.what === 'refused') proofFailure.value = { message: answer.message }
      if (answer.what === 'failed') proofFailure.value = failureOf(answer, code)
      proof.value =
        answer.what === 'proved'
          ? { ...answer.proof, subject, seconds: (performance.now() - since) / 1000 }
          : null
      proofOutcome.value = proof.value && proof.value.verdict === 'proved'
      showFirst(proof.value)
    })
  })
  end = () => {
    clearInterval(beat)
    finish()
  }
}

/** Puts a counterexample on the stage: of the clause that was shown before, or of the first. */
function showFirst(found: FoundProof | null): void {
  const open = found?.clauses.filter(({ verdict }) => verdict === 'open') ?? []
  const goals = open.filter(({ from }) => from === 'goal')
  const before = counterexampleShown.value?.clause
  const first = open.find(({ name }) => name === before) ?? goals[0] ?? open[0]
  showCounterexample(first?.name ?? null)
}

export function showCounterexample(clause: string | null): void {
  const found = proof.value?.clauses.find(({ name }) => name === clause)
  counterexampleShown.value =
    clause !== null && found?.counterexample
      ? { clause, counterexample: found.counterexample }
      : null
}
