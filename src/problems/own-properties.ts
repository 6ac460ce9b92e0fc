import { type GlobalState, type Property, UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'

const WHEN: readonly unknown[] = [
  'always',
  'at the end',
  'from some time on',
  'in the long run',
  'eventually',
]
/** Left out, a property may see all; an unknown word must not let a reduction believe otherwise. */
const SEES: readonly unknown[] = [undefined, 'leaders', 'outcomes', 'single nodes']

/** Types say the same, but not everybody checks them. */
export function refuseIncomplete(property: Partial<Property> | null, where: string): void {
  const { name, when, sees, broken } = property ?? {}
  const refuse = (problem: string, hint: string) => {
    throw new UsageError(where, problem, hint)
  }
  if (typeof name !== 'string' || name.trim() === '')
    refuse('a property needs a name.', "Write name: 'every node hears of the leader'.")
  if (!WHEN.includes(when))
    refuse(
      `expected when to be always, at the end, from some time on, in the long run or eventually, got ${quoted(when)}.`,
      "Write for example when: 'always'.",
    )
  if (!SEES.includes(sees))
    refuse(
      `expected sees to be leaders, outcomes or single nodes, got ${quoted(sees)}.`,
      'Leave it out where the property looks at more.',
    )
  if (typeof broken !== 'function')
    refuse(
      `expected broken to be a function, got ${quoted(broken)}.`,
      'Let it return what is wrong in a global state, or null.',
    )
}

/** The same property; an error says that it is the property that failed. */
export function guarded(property: Property, where: string): Property {
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
