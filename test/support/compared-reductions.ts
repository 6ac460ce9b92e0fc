import { worstCase } from '../../src/check/cost/worst-case.ts'
import { type CheckOptions, checkWorld, withRestarts } from '../../src/check/index.ts'
import { StateGraph } from '../../src/check/liveness/state-graph.ts'
import { strongComponents } from '../../src/check/liveness/strong-components.ts'
import { TransitionSystem } from '../../src/check/model/transition-system.ts'
import type { Property, State, World } from '../../src/core/index.ts'
import { leaderElection } from '../../src/problems/leader-election.ts'
import { oneLeaderPerTerm } from '../../src/problems/leader-per-term.ts'
import { randomProtocols } from './random-protocols.ts'
import { textOf } from './reference-state.ts'

/** The model of an exploration of a random protocol. */
export type Rules = Pick<CheckOptions, 'mode' | 'order' | 'wake' | 'faults'>

type Reduction = 'off' | 'auto'

const MOST_STATES = 400
const LIMITS = { states: 10 * MOST_STATES }

export const inOrder: Property = {
  name: 'one after the other',
  says: 'The second node never leads without the first.',
  when: 'always',
  sees: 'leaders',
  broken: ({ leaders }) => (leaders.includes(1) && !leaders.includes(0) ? 'it does' : null),
}

const inTurn: Property = {
  name: 'no loser without a leader',
  says: 'The first node has not lost while no node leads and the last has not lost.',
  when: 'always',
  sees: 'outcomes',
  broken: ({ n, state, leaders }) =>
    state(0).status === 'lost' && state(n - 1).status !== 'lost' && leaders.length === 0
      ? 'it has'
      : null,
}

/** What is true of each node by itself, of all that lead, or of any nodes together. */
function propertiesFor(seed: number, faults: boolean, inTerms: boolean): readonly Property[] {
  const place = seed % 2
  const inOffice: Property = {
    name: 'no leader in one place',
    says: 'No node leads in one of the places.',
    when: 'always',
    sees: 'single nodes',
    broken: ({ n, state }) =>
      Array.from({ length: n }, (_, node) => state(node)).some(
        (it) => it.status === 'leader' && it.place === place,
      )
        ? 'a node does'
        : null,
  }
  const together: Property = {
    name: 'never both there',
    says: 'The first two nodes are never in one of the places both, awake and out of office.',
    when: 'always',
    broken: ({ state }) =>
      [state(0), state(1)].every((it) => it.status === 'lost' && it.place === place)
        ? 'both are'
        : null,
  }
  const ofElections = leaderElection.properties(faults).slice(0, 3)
  const byTerm = inTerms ? [oneLeaderPerTerm] : []
  const all = [inOffice, ...(faults ? [inTurn] : [together]), inOrder, ...ofElections, ...byTerm]
  return [all[seed % all.length]]
}

/** What a search finds: local states, quiescent states, and the number of states. */
export function seen(world: World, rules: Rules, reduction: Reduction) {
  const locals = new Set<string>()
  const ends = new Set<string>()
  const texts = new Map<State, string>()
  const known = (state: State) => {
    if (!texts.has(state)) texts.set(state, textOf(state))
    return texts.get(state)
  }
  const listening = (
    when: Property['when'],
    note: (texts: string[], leads: string[]) => void,
  ): Property => ({
    name: when,
    says: 'It only listens.',
    when,
    sees: 'single nodes',
    broken: ({ n, state, alive, leads = [] }) => {
      const nodes = Array.from({ length: n }, (_, node) => node)
      note(
        nodes.map((node) => `${node} ${alive(node)}: ${known(state(node))}`),
        leads.map(({ node, term }) => `${node} led in ${term}`),
      )
      return null
    },
  })
  const properties = [
    listening('always', (texts) => {
      for (const text of texts) locals.add(text)
    }),
    listening('at the end', (texts, leads) => ends.add([...texts, ...leads].join())),
  ]
  const { states, exhausted } = checkWorld(world, {
    ...rules,
    reduction,
    properties,
    limits: LIMITS,
  })
  return { states, exhausted, what: textOf({ locals, ends }), ends: ends.size }
}

function verdict(seed: number, world: World, rules: Rules, reduction: Reduction) {
  const inTerms = world.algorithm.problem?.terms === true
  const properties = propertiesFor(seed, rules.faults !== undefined, inTerms)
  const result = checkWorld(world, { ...rules, reduction, properties, limits: LIMITS })
  const verdicts = result.properties.map(({ name, holds }) => ({ name, holds }))
  return [result.violated?.trace.length, ...verdicts]
}

/** Whether the graph of all states has no cycle, and whether the checker says so. */
function acyclic(world: World, rules: Rules) {
  const graph = new StateGraph(new TransitionSystem(world, rules), LIMITS)
  const { properties } = checkWorld(world, {
    ...{ ...rules, reduction: 'auto', properties: [], fairRuns: true, limits: LIMITS },
  })
  const claimed = properties.some(({ detail }) => detail === 'the state graph has no cycle')
  return { right: strongComponents(graph).cyclic.length === 0, claimed }
}

/** The most and the fewest messages of all runs. */
function costs(world: World, rules: Rules, reduction: Reduction) {
  const { figures, reason } = worstCase(world, { ...rules, reduction }, LIMITS, 'messages')
  return textOf({ figures, reason })
}

/** Every protocol both ways: how much was left out, and which results are not the same. */
export function compare(
  count: number,
  rulesFor: (seed: number, world: World) => Rules,
  firstSeed = 1,
  kind: 'different nodes' | 'in terms' = 'different nodes',
) {
  const wrong: string[] = []
  const [sizes, manyEnds] = [{ off: 0, auto: 0 }, new Set<number>()]
  let compared = 0
  for (const { seed, world: protocol } of randomProtocols(count, MOST_STATES, firstSeed, kind)) {
    const rules = rulesFor(seed, protocol)
    const world = withRestarts(protocol, rules.faults ?? {})
    const whole = seen(world, rules, 'off')
    if (!whole.exhausted) continue
    compared++
    const less = seen(world, rules, 'auto')
    sizes.off += whole.states
    sizes.auto += less.states
    if (whole.ends > 1) manyEnds.add(seed)
    if (less.what !== whole.what) wrong.push(`${seed}: other states`)
    const [right, found] = (['off', 'auto'] as const).map((it) => verdict(seed, world, rules, it))
    if (textOf(found) !== textOf(right))
      wrong.push(`${seed}: ${textOf(found)}, not ${textOf(right)}`)
    if (seed % 4 > 0) continue
    if (costs(world, rules, 'auto') !== costs(world, rules, 'off'))
      wrong.push(`${seed}: other costs`)
    const cycles = acyclic(world, rules)
    if (cycles.claimed !== cycles.right) wrong.push(`${seed}: ${textOf(cycles)}`)
  }
  return { wrong, sizes, manyEnds: manyEnds.size, compared }
}
