import { UsageError } from '../core/index.ts'
import type { Property, Verdict } from '../core/language/problem.ts'
import { quoted } from '../scenario/fields/reading.ts'
import type { RunEnd, Simulation } from '../sim/index.ts'

const WHEN: readonly unknown[] = ['always', 'at the end', 'eventually']
const SEES: readonly unknown[] = [undefined, 'leaders', 'single nodes']

/** Refuses properties that no engine could evaluate: types say the same, where they are checked. */
export function refuseBadProperties(properties: unknown): void {
  const refuse = (at: string, problem: string, hint: string): never => {
    throw new UsageError(`properties${at}`, problem, hint)
  }
  if (!Array.isArray(properties))
    throw new UsageError(
      'properties',
      'This is no list.',
      'Write properties: [{ name, when, broken }].',
    )
  for (const [i, property] of properties.entries()) {
    const { name, when, sees, broken } = (property ?? {}) as Partial<Property>
    const at = `[${i}]`
    if (typeof name !== 'string' || name.trim() === '')
      refuse(at, 'A property needs a name.', "Write name: 'every node hears of it'.")
    if (!WHEN.includes(when))
      refuse(
        `${at}.when`,
        `${quoted(when)} is no moment.`,
        "Write 'always', 'at the end' or 'eventually'.",
      )
    if (!SEES.includes(sees))
      refuse(
        `${at}.sees`,
        `${quoted(sees)} is unknown.`,
        "Write 'leaders' or 'single nodes', or leave it out.",
      )
    if (typeof broken !== 'function')
      refuse(
        `${at}.broken`,
        'This is no function.',
        'Write a function of the global state that returns what is wrong, or null.',
      )
  }
}

/**
 * Runs a simulation event by event, and evaluates the properties of its user after each. The
 * engine by itself looks only when the outcome of a node changes, which is enough for elections.
 */
export function runStepwise(simulation: Simulation, eventually: readonly Property[]): StepwiseRun {
  const { monitor, conditions } = simulation
  const offset = conditions.synchronous ? 1 : 0
  const open = new Map(eventually.map((property) => [property, property.broken(monitor)]))
  let end: RunEnd | null = null
  while (end === null) {
    end = simulation.run(1)
    monitor.check(true, simulation.now + offset)
    for (const [property, broken] of open)
      if (broken !== null) open.set(property, property.broken(monitor))
  }
  const verdicts = [...open].map(([{ name, says = name }, broken]): Verdict => {
    if (broken === null) return { name, holds: true, detail: says }
    return end === 'quiet'
      ? { name, holds: false, detail: `never in this run: ${broken}` }
      : { name, holds: null, detail: 'not yet when the run was stopped' }
  })
  return { end, verdicts }
}

/** How such a run ended, and what became of the properties that hold in some moment of a run. */
export interface StepwiseRun {
  readonly end: RunEnd
  readonly verdicts: readonly Verdict[]
}
