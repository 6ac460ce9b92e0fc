import type { ShownCounterexample } from '../model/check-outcome.ts'
import './prover.css'

const UNKNOWN = 'Whether a run ever gets here, the proof does not say:'

/** A counterexample to induction in sentences. */
export function CounterexampleWords({ shown }: { readonly shown: ShownCounterexample }) {
  const { clause, counterexample } = shown
  const { step, text } = counterexample
  return (
    <section class="counterexample-words" aria-label="The counterexample in words">
      <h2>Why "{clause}" is not proved</h2>
      <p class="note">
        {step === null
          ? 'It does not hold at the beginning:'
          : `All clauses that are used hold here, and one step breaks this one. ${UNKNOWN}`}
      </p>
      <ul>
        {text.map((line, i) => (
          <li key={i} class={line.startsWith('broken') ? 'breaks' : ''}>
            {line}
          </li>
        ))}
      </ul>
      <p class="note">
        Where this cannot be reached, add a clause to the invariant that rules it out, and prove
        again. Where it can, the clause does not hold: correct it.
      </p>
    </section>
  )
}
