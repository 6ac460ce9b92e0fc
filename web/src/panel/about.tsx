import { boundWords, sourceTexts } from '../../../src/core/language/theory.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import { Formula, FormulaText } from '../formula/formula.tsx'

/** The idea of an algorithm; its assumptions, proof and bounds on request. */
export function About({ entry }: { readonly entry: AlgorithmEntry }) {
  const { theory, assumes, proved } = entry
  return (
    <div class="about">
      <p>
        <FormulaText text={theory.idea} />
      </p>
      <p class="note">
        {theory.authors}. Cost: <FormulaText text={theory.cost} />.
      </p>
      <details>
        <summary>Assumptions, proof, what breaks it</summary>
        <h3>Assumes</h3>
        {assumes.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <h3>Why it is right</h3>
        <p>
          <FormulaText text={theory.because} />
        </p>
        {proved && (
          <p class="note">
            For every n: Check proves by induction what must never happen, from the invariant that
            the definition states.
          </p>
        )}
        {theory.bounds.length > 0 && (
          <>
            <h3>Proven</h3>
            <ul>
              {theory.bounds.map(({ of, kind, formula, where }) => (
                <li key={`${of} ${kind} ${formula}`}>
                  {of}, {boundWords[kind]}: <Formula text={formula} />
                  {where && `, ${where}`}
                </li>
              ))}
            </ul>
          </>
        )}
        <h3>What breaks it</h3>
        <p>
          <FormulaText text={theory.breaks} />
        </p>
        {theory.texts && theory.texts.length > 0 && (
          <p class="note">From {theory.texts.map((text) => sourceTexts[text]).join('; ')}.</p>
        )}
      </details>
    </div>
  )
}
