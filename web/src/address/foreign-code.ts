import { signal } from '@preact/signals'
import type { LinkedCode } from '../model/lab-document.ts'

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
