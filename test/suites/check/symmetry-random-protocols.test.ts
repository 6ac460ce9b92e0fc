import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkWorld, type FaultOptions, withRestarts } from '../../../src/check/index.ts'
import { StateGraph } from '../../../src/check/liveness/state-graph.ts'
import { strongComponents } from '../../../src/check/liveness/strong-components.ts'
import { TransitionSystem } from '../../../src/check/model/transition-system.ts'
import { StateOrbits } from '../../../src/check/reduction/state-orbits.ts'
import { type GlobalState, type Property, Random, type World } from '../../../src/core/index.ts'
import { leaderElection } from '../../../src/problems/leader-election.ts'
import type { Rules } from '../../support/compared-reductions.ts'
import { randomProtocols } from '../../support/random-protocols.ts'
import { textOf } from '../../support/reference-state.ts'

const PROTOCOLS = process.env.LONG_TESTS ? 1000 : 50
const MOST_STATES = 600
const LIMITS = { states: 10 * MOST_STATES }

type Reduction = 'off' | 'auto'

/** A random model with one or two kinds of faults. */
function faultyRules(seed: number, { topology: { n, kind } }: World): Rules {
  const random = Random.from(seed).split('rules')
  const mode = ([{ clocked: 1 }, { clocked: 2 }, 'untimed'] as const)[random.below(3)]
  const kinds: FaultOptions[] = [
    ...[{ crashes: 1 }, { crashes: 1, detect: 'off' as const }, { crashes: 2 }, { losses: 1 }],
    ...[{ duplicates: 1 }, { crashes: 1, losses: 1, detect: 'off' as const }, { dead: [n - 1] }],
    ...[{ crashes: 1, recoveries: 1 }],
    ...(mode === 'untimed' ? [] : [{ pauses: 1 }, { drift: 1 }, { crashes: 1, detect: 2 }]),
    ...(kind === 'ring' ? [] : [{ cuts: 1 }, { cuts: 2, oneWay: true }, { partitions: 1 }]),
  ]
  return { mode, order: 'fifo', wake: 'any', faults: kinds[random.below(kinds.length)] }
}

/** Some are explored as they would be by default, the others otherwise. */
function rulesFor(seed: number, world: World): Rules {
  const base = { mode: 'untimed', order: 'fifo', wake: 'any' } as const
  const { n } = world.topology
  if (seed % 8 > 4) return faultyRules(seed, world)
  if (seed % 8 === 1) return { ...base, order: 'any' }
  if (seed % 8 === 2) return { ...base, wake: [...Array(n).keys()] }
  if (seed % 8 === 3) return { ...base, mode: 'patient' }
  if (seed % 8 === 4) return { ...base, mode: { clocked: 2 } }
  return base
}

/** The smallest of the texts that rotations make of a list. All networks here can be rotated. */
function rotated(texts: readonly string[], by: number): string {
  const turns = texts.map((_, i) => (i % by === 0 ? [...texts.slice(i), ...texts.slice(0, i)] : []))
  return turns
    .filter(({ length }) => length > 0)
    .map((turn) => turn.join())
    .toSorted()[0]
}

function nodesOf({ n, state, alive }: GlobalState): string[] {
  return Array.from({ length: n }, (_, node) => `${alive(node)}: ${textOf(state(node))}`)
}

/** The states of nodes, and the ends of runs up to rotation, that a search comes upon. */
function seen(world: World, rules: Rules, reduction: Reduction) {
  const [locals, ends] = [new Set<string>(), new Set<string>()]
  const kinds = new Set(world.ids).size
  const listening = { sees: 'single nodes', symmetric: true } as const
  const properties: Property[] = [
    {
      ...{ name: 'local states', when: 'always', ...listening },
      broken(global) {
        for (const text of nodesOf(global)) locals.add(text)
        return null
      },
    },
    {
      ...{ name: 'ends', when: 'at the end', ...listening },
      broken(global) {
        ends.add(rotated(nodesOf(global), kinds))
        return null
      },
    },
  ]
  const result = checkWorld(world, { ...rules, reduction, properties, limits: LIMITS })
  return { ...result, what: textOf({ locals, ends }) }
}

function propertiesFor(seed: number): Property[] {
  const place = seed % 2
  const count = ({ n, state }: GlobalState, status: string) =>
    Array.from({ length: n }, (_, node) => state(node)).filter(
      (it) => it.status === status && it.place === place,
    ).length
  const common = { when: 'always', symmetric: true } as const
  const inOffice: Property = {
    ...{ name: 'no leader in one place', sees: 'single nodes', ...common },
    broken: (global) => (count(global, 'leader') > 0 ? 'a node leads there' : null),
  }
  const together: Property = {
    ...{ name: 'never two there', ...common },
    broken: (global) => (count(global, 'lost') > 1 ? 'two nodes are there' : null),
  }
  const all = [inOffice, together, ...leaderElection.properties(false).slice(0, 3)]
  return [all[seed % all.length]]
}

function verdict(seed: number, world: World, rules: Rules, reduction: Reduction) {
  const properties = propertiesFor(seed)
  const result = checkWorld(world, { ...rules, reduction, properties, limits: LIMITS })
  const verdicts = result.properties.map(({ name, holds }) => ({ name, holds }))
  return textOf([result.violated?.trace.length, ...verdicts])
}

/** Whether the graph of all states has no cycle, and whether the checker says so. */
function acyclic(world: World, rules: Rules) {
  const graph = new StateGraph(new TransitionSystem(world, rules), LIMITS)
  const options = { ...rules, reduction: 'auto', properties: [], limits: LIMITS } as const
  const { properties } = checkWorld(world, { ...options, fairRuns: true })
  const claimed = properties.some(({ detail }) => detail === 'the state graph has no cycle')
  return { right: strongComponents(graph).cyclic.length === 0, claimed }
}

/** Every protocol both ways: how often symmetry was used, and which results are not the same. */
function compare(count: number, firstSeed = 1) {
  const wrong: string[] = []
  const sizes = { off: 0, auto: 0 }
  const used = { all: 0, faulty: 0 }
  const protocols = randomProtocols(count, MOST_STATES, firstSeed, 'nodes alike')
  for (const { seed, world: protocol } of protocols) {
    const rules = rulesFor(seed, protocol)
    const world = withRestarts(protocol, rules.faults ?? {})
    const whole = seen(world, rules, 'off')
    if (!whole.exhausted) continue
    const less = seen(world, rules, 'auto')
    if (less.reduction.automorphisms > 1) {
      used.all++
      if (rules.faults !== undefined) used.faulty++
    }
    sizes.off += whole.states
    sizes.auto += less.states
    if (less.what !== whole.what) wrong.push(`${seed}: other states`)
    const [right, found] = (['off', 'auto'] as const).map((it) => verdict(seed, world, rules, it))
    if (found !== right) wrong.push(`${seed}: ${found}, not ${right}`)
    if (seed % 4 > 0) continue
    const cycles = acyclic(world, rules)
    if (cycles.claimed !== cycles.right) wrong.push(`${seed}: ${textOf(cycles)}`)
  }
  return { wrong, sizes, used }
}

describe('the symmetry reduction of the checker', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it(`keeps ends, local states and verdicts of ${PROTOCOLS} random protocols`, {
    timeout: 300_000,
  }, () => {
    const { wrong, sizes, used } = compare(PROTOCOLS)
    expect(wrong).toEqual([])
    expect(used.all).toBeGreaterThan(PROTOCOLS / 2)
    expect(used.faulty).toBeGreaterThan(PROTOCOLS / 10)
    expect(sizes.auto).toBeLessThan(sizes.off / 2)
  })

  it('would be caught if it ignored what is in the channels', () => {
    const prototype = StateOrbits.prototype as unknown as { choose(cells: Uint32Array): void }
    vi.spyOn(prototype, 'choose').mockImplementation(function (
      this: { canonical: { cells: Uint32Array }; system: TransitionSystem },
      cells: Uint32Array,
    ) {
      this.canonical.cells.set(cells)
      this.canonical.cells.subarray(0, this.system.n).sort()
    })
    expect(compare(50).wrong).not.toEqual([])
  })
})
