import { problem } from '../model/lab.ts'
import './notices.css'
import { signal } from '@preact/signals'
import type { LinkedCode } from '../model/lab-document.ts'

/** What is wrong with a link or a file, above the page, which stays as it was. */
export function ProblemNotice() {
  if (problem.value === null) return null
  return (
    <div role="alert" class="problem-notice">
      <p>{problem.value}</p>
      <button
        type="button"
        onClick={() => {
          problem.value = null
        }}
      >
        Continue here
      </button>
    </div>
  )
}

/** Shows code of someone else in full, and waits. */
export function ForeignCode({ codes, answer }: CodeQuestion) {
  return (
    <main class="foreign-code">
      <h1>This link contains code by someone else</h1>
      <p>
        It is an algorithm, and it runs in this page only when you say so: without access to the
        network, to your files or to the page itself. Nothing of it has run yet.
      </p>
      {codes.map(({ path, source }) => (
        <figure key={source}>
          <figcaption>
            <code>{path.replace(/^.*\//, '')}</code>, {source.trimEnd().split('\n').length} lines
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys. */}
          <pre tabIndex={0}>{source}</pre>
        </figure>
      ))}
      <p class="bar">
        <button type="button" class="primary" onClick={() => answer(true)}>
          Run this code
        </button>
        <button type="button" onClick={() => answer(false)}>
          Do not run it
        </button>
      </p>
    </main>
  )
}

/** Code of someone else that waits for a click. */
export interface CodeQuestion {
  readonly codes: readonly LinkedCode[]
  answer(allowed: boolean): void
}

/** The question that the page shows; null for none. */
export const codeQuestion = signal<CodeQuestion | null>(null)

/** Asks whether code of someone else may run. Nothing of it runs before the answer. */
export function mayRun(codes: readonly LinkedCode[]): Promise<boolean> {
  codeQuestion.peek()?.answer(false)
  if (codes.length === 0) return Promise.resolve(true)
  return new Promise((resolve) => {
    codeQuestion.value = {
      codes,
      answer(allowed) {
        codeQuestion.value = null
        resolve(allowed)
      },
    }
  })
}

/** Withdraws the question: the page shows something else by now. */
export function withdrawQuestion(): void {
  codeQuestion.peek()?.answer(false)
}
