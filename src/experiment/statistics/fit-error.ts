import { UsageError } from '../../core/index.ts'
import type { DataPoint } from './fit.ts'
import type { Form } from './forms.ts'
import { digits } from './formula.ts'

/** Why the points do not determine a form: it has no value at one of them, or they are too few. */
export function fitErrorOf(form: Form, points: readonly DataPoint[], where: string): UsageError {
  const { variable } = form
  const complain = (needed: string, given: string, remedy: string) =>
    new UsageError(where, `the form ${form.name} needs ${needed}, but ${given}.`, remedy)
  const bad = points.find((point) => !isUsable(form, point))
  if (bad !== undefined && form.kind === 'power')
    return complain(
      'numbers above 0, since it takes logarithms',
      `at ${variable} = ${bad.x} the mean is ${digits(bad.y)}`,
      `Leave that point out, or fit a sum such as ${variable} instead.`,
    )
  if (bad !== undefined)
    return complain(
      `a value at every ${variable}`,
      `it has none at ${variable} = ${bad.x}`,
      `Sweep other values of ${variable}, or choose another form.`,
    )
  const different = new Set(points.map(({ x }) => x)).size
  const unknowns = form.kind === 'power' ? 2 : form.terms.length
  if (different >= unknowns)
    return complain(
      'terms that differ',
      `at these ${different} values of ${variable} one is like the sum of others`,
      'Choose a form with fewer terms.',
    )
  return complain(
    `at least ${unknowns} different values of ${variable}`,
    `${different} ${different === 1 ? 'was' : 'were'} swept`,
    `Sweep more values of ${variable}, or choose a form with fewer terms.`,
  )
}

function isUsable(form: Form, { x, y }: DataPoint): boolean {
  if (form.kind === 'power') return x > 0 && y > 0
  return form.terms.every(({ at }) => Number.isFinite(at(x)))
}
