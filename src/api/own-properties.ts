import { RESERVED_PROPERTY_NAMES } from '../check/index.ts'
import { type Algorithm, type GlobalState, type Property, UsageError } from '../core/index.ts'
import type { Verdict } from '../core/language/problem.ts'
import { quoted } from '../core/text-format.ts'
import { propertiesOf } from '../problems/algorithm-properties.ts'
import { everyFairRunElects } from '../problems/leader-election.ts'
import type { RunEnd, Simulation } from '../sim/index.ts'

const WHEN: readonly unknown[] = ['always', 'at the end', 'from some time on', 'eventually']
/** Left out, a property may see all; an unknown word must not let a reduction believe otherwise. */
const SEES: readonly unknown[] = [undefined, 'leaders', 'single nodes']

/**
 * The properties that the author of an algorithm demands besides those of an election, ready for
 * the engines. `source` is the file that they are from, or empty; errors begin with it.
 */
export function ownProperties(
  properties: unknown,
  algorithm: Algorithm,
  source = '',
): readonly Property[] {
  const prefix = source === '' ? '' : `${source}: `
  const where = `${prefix}properties`
  if (!Array.isArray(properties))
    throw new UsageError(
      where,
      `expected a list of properties, got ${quoted(properties)}.`,
      'Write properties = [{ name, when, broken }].',
    )
  for (const [i, property] of properties.entries()) refuseIncomplete(property, `${where}[${i}]`)
  const names = properties.map(({ name }: Property) => name)
  const usual = usualNames(algorithm)
  return properties.map((property: Property, i) => {
    const { name } = property
    const twice = names.indexOf(name) < i
    if (twice || usual.includes(name))
      throw new UsageError(
        `${where}[${i}]`,
        `the name ${quoted(name)} is ${twice ? 'used twice' : 'that of a property of every election'}.`,
        'Choose another name.',
      )
    return guarded(property, `${prefix}property ${quoted(name)}`)
  })
}

/** The names of what is demanded of every election, with and without faults. */
function usualNames(algorithm: Algorithm): string[] {
  const usual = [
    ...propertiesOf(algorithm, false),
    ...propertiesOf(algorithm, true),
    everyFairRunElects,
  ]
  return [...usual.map(({ name }) => name), ...RESERVED_PROPERTY_NAMES]
}

/** Types say the same, but not everybody checks them. */
function refuseIncomplete(property: Partial<Property> | null, where: string): void {
  const { name, when, sees, broken } = property ?? {}
  const refuse = (problem: string, hint: string) => {
    throw new UsageError(where, problem, hint)
  }
  if (typeof name !== 'string' || name.trim() === '')
    refuse('a property needs a name.', "Write name: 'every node hears of the leader'.")
  if (!WHEN.includes(when))
    refuse(
      `expected when to be always, at the end, from some time on or eventually, got ${quoted(when)}.`,
      "Write for example when: 'always'.",
    )
  if (!SEES.includes(sees))
    refuse(
      `expected sees to be leaders or single nodes, got ${quoted(sees)}.`,
      'Leave it out where the property looks at more.',
    )
  if (typeof broken !== 'function')
    refuse(
      `expected broken to be a function, got ${quoted(broken)}.`,
      'Let it return what is wrong in a global state, or null.',
    )
}

/** The same property; an error says that it is the property that failed. */
function guarded(property: Property, where: string): Property {
  return {
    ...property,
    broken(state) {
      const broken = asked(bound(state))
      if (broken === null || typeof broken === 'string') return broken
      throw new UsageError(
        where,
        `broken returned ${quoted(broken)}.`,
        'Let it return what is wrong in words, or null.',
      )
    },
  }

  function asked(state: GlobalState): unknown {
    try {
      return property.broken(state)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new UsageError(
        where,
        `broken threw ${quoted(why)}.`,
        'It must return a text or null in every global state.',
      )
    }
  }
}

const boundStates = new WeakMap<GlobalState, GlobalState>()

/** The same global state, whose methods may be taken out of it: `broken: ({ state }) => ...`. */
function bound(global: GlobalState): GlobalState {
  const known = boundStates.get(global)
  if (known !== undefined) return known
  const made: GlobalState = Object.create(global, {
    state: { value: (node: number) => global.state(node) },
    alive: { value: (node: number) => global.alive(node) },
    name: { value: (node: number) => global.name(node) },
    component: { value: (node: number) => global.component(node) },
  })
  boundStates.set(global, made)
  return made
}

/** How a run ended, and whether what must hold eventually did in some moment of it. */
interface StepwiseRun {
  readonly end: RunEnd
  readonly verdicts: readonly Verdict[]
}

/**
 * Runs a simulation event by event, and evaluates the properties after each. The engine by itself
 * does so only when the outcome of a node changes, which is enough for those of elections.
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
