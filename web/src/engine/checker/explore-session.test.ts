import { describe, expect, it } from 'vitest'
import { definitionNamed } from '../../../../src/algorithms/index.ts'
import { transitionJson } from '../../../../src/check/counterexample/transition-json.ts'
import type { TransitionJson } from '../../../../src/check/index.ts'
import { ModelWalk } from '../../../../src/check/index.ts'
import { TransitionSystem } from '../../../../src/check/model/transition-system.ts'
import type { Algorithm } from '../../../../src/core/index.ts'
import { Random } from '../../../../src/core/index.ts'
import { flagWords } from '../../../../src/scenario/command-line.ts'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'
import { prepare } from '../../../../src/scenario/index.ts'
import { resultOf, simulationOf } from '../../../../src/sim/index.ts'
import { shellJson } from '../../../../test/support/run-command.ts'
import { checkedModel } from './checked-model.ts'
import { estimateSession, exploreSession, extrapolated } from './explore-session.ts'
import type { CheckerAnswer, CheckSettings } from './protocol.ts'
import { simulatedRun } from './simulated-run.ts'

type Target = readonly [algorithm: string, given: ScenarioInput, asked: ScenarioInput]

const HOLDING: readonly Target[] = [
  ['lcr', { n: 4, seed: 3 }, {}],
  ['lcr', { n: 3 }, { crashes: 1 }],
  ['bully', { n: 3 }, { mode: 'clocked:2' }],
  ['itai-rodeh', { n: 2 }, { draws: 3 }],
  ['wireless', { topology: 'path:3' }, { cuts: 1 }],
]

const VIOLATING: readonly Target[] = [
  ['lcr', { n: 3, ids: 'same' }, {}],
  ['lcr', { n: 4, seed: 2 }, { losses: 1 }],
  ['peterson', { n: 4, order: 'any', 'allow-weaker': true }, {}],
  ['hirschberg-sinclair', { n: 4 }, { losses: 1 }],
  ['echo-extinction', { topology: 'path:3' }, { crashes: 1 }],
  ['singh', { n: 3 }, { losses: 1 }],
  ['time-slice', { n: 3 }, { crashes: 1 }],
]

function settingsOf([algorithm, given, asked]: Target): CheckSettings {
  return { algorithm, given, asked }
}

function explored(target: Target, worst: 'messages' | 'time' | null = null) {
  const settings = settingsOf(target)
  const answers: CheckerAnswer[] = []
  const request = { want: 'explore', states: 100_000, settings, code: null, worst } as const
  const take = (answer: CheckerAnswer) => answers.push(answer)
  for (const _ of exploreSession(definitionNamed(target[0]), request, take));
  const last = answers.at(-1)!
  if (last.what !== 'explored') throw new Error(last.what)
  return { ...last, settings }
}

describe('an exploration on the page', () => {
  it.each([...HOLDING, ...VIOLATING])(
    'counts what conclave check counts: %s %j %j',
    async (...target) => {
      const { result } = explored(target)
      const [algorithm, given, asked] = target
      const words = [algorithm, ...flagWords({ ...given, ...asked })]
      const { states, transitions, depth, properties, violated, exhausted } = await shellJson(
        'check',
        ...words,
      )
      expect(result).toMatchObject({ states, transitions, depth, properties, exhausted })
      const trace = (violated as { trace: unknown } | null)?.trace
      expect(JSON.parse(JSON.stringify(result.violated?.trace ?? null))).toEqual(trace ?? null)
    },
  )

  it('finds the worst case that conclave check finds', async () => {
    const { worst } = explored(['chang-roberts', { n: 4, ids: '1,2,3,4' }, {}], 'messages')
    const words = 'chang-roberts -n 4 --ids 1,2,3,4 --worst messages'.split(' ')
    const { worst: expected } = await shellJson<{ worst: object }>('check', ...words)
    expect(worst).toMatchObject({ figures: (expected as { figures: object }).figures })
    const sent = worst!.samples!.most.events.filter(({ event }) => event === 'send')
    expect(sent).toHaveLength(Number(worst!.figures[0].most))
  })

  it('estimates the states of a larger ring by those of smaller ones', () => {
    const answers: CheckerAnswer[] = []
    const settings = settingsOf(['lcr', { n: 6, ids: 'increasing' }, {}])
    const request = { want: 'estimate', settings, code: null } as const
    const take = (answer: CheckerAnswer) => answers.push(answer)
    for (const _ of estimateSession(definitionNamed('lcr'), request, take));
    const { states } = explored(['lcr', { n: 6, ids: 'increasing' }, {}]).result
    const [answer] = answers
    if (answer.what !== 'estimated') throw new Error(answer.what)
    expect(answer.estimate.states! / states).toBeGreaterThan(0.2)
    expect(answer.estimate.states! / states).toBeLessThan(5)
    expect(extrapolated([{ n: 3, states: 8 }], 9)).toBeNull()
  })
})

/** The serialised transitions of the loaded state, found without a walk. */
function successorsOf(system: TransitionSystem): Map<string, Uint32Array> {
  const found = new Map<string, Uint32Array>()
  system.successors((transition) =>
    found.set(
      JSON.stringify(transitionJson(transition, system.cache)),
      system.vector.cells.slice(),
    ),
  )
  return found
}

describe('a walk', () => {
  it.each(HOLDING)('offers the transitions of the checker at each step: %s %j %j', (...target) => {
    const {
      target: world,
      model,
      properties,
    } = checkedModel(definitionNamed(target[0]), settingsOf(target))
    const walk = new ModelWalk(world.world, model, properties)
    const system = new TransitionSystem(world.world, model)
    const random = Random.from(7)
    const path: TransitionJson[] = []
    for (let step = 0; step < 25; step++) {
      const expected = successorsOf(system)
      const { next, transitions, snapshots, eventsAfter, events } = walk.goTo(path)
      expect(transitions).toEqual(path)
      expect(snapshots).toHaveLength(path.length)
      expect(eventsAfter.at(-1)).toBe(events.length)
      expect(next.map((json) => JSON.stringify(json)).toSorted()).toEqual(
        [...expected.keys()].toSorted(),
      )
      if (next.length === 0) break
      path.push(next[random.below(next.length)])
      system.vector.cells.set(expected.get(JSON.stringify(path.at(-1)))!)
      system.vector.rehash()
    }
    expect(path.length).toBeGreaterThan(3)
    // Going back is the same as not having gone on.
    expect(walk.goTo(path.slice(0, 2))).toEqual(
      new ModelWalk(world.world, model, properties).goTo(path.slice(0, 2)),
    )
  })

  it('knows its place in the graph of states, and where a property is violated', () => {
    const target: Target = ['lcr', { n: 3, ids: 'same' }, {}]
    const {
      target: world,
      model,
      properties,
    } = checkedModel(definitionNamed('lcr'), settingsOf(target))
    const walk = new ModelWalk(world.world, model, properties)
    expect(walk.graph(10)).toBeNull()
    const { states, edges } = walk.graph(300)!
    const { violated } = explored(target).result
    const walked = walk.goTo(violated!.transitions)
    expect(walked.violated).toMatchObject({ property: 'at most one leader', after: 3 })
    const place = states.find(({ key }) => key === walked.key)!
    expect(place).toMatchObject({ violated: 'at most one leader', depth: 3 })
    expect(place.leaders).toEqual(walked.leaders)
    expect(
      edges.filter(({ from }) => states[from] === place).map(({ transition }) => transition),
    ).toEqual(walked.next)
    for (const { from, to } of edges)
      expect(states[to].depth).toBeLessThanOrEqual(states[from].depth + 1)
  })
})

describe('a counterexample', () => {
  it.each(VIOLATING)(
    'becomes a scenario in which the simulator violates it: %s %j %j',
    (...target) => {
      const definition = definitionNamed(target[0]) as Algorithm
      const { result, settings: asked } = explored(target)
      const { transitions: path, property, ids } = result.violated!
      // Of all arrangements it is the violated one that is simulated.
      const own = result.ids === 'all' && { ids: ids.join() }
      const settings = { ...asked, given: { ...asked.given, ...own } }
      const request = { want: 'simulate', path, property, settings, code: null } as const
      const { scenario, why } = simulatedRun(definition, request)
      expect(why).toBeNull()
      const { world, conditions, properties } = prepare(scenario!, definition, String)
      const simulation = simulationOf(world, conditions, properties)
      const { verdict } = resultOf(simulation, simulation.finish())
      expect(verdict.ok).toBe(false)
    },
  )

  it('is only shown where the simulator cannot do the same, and the reason is said', () => {
    const target: Target = ['bully', { n: 3 }, { mode: 'untimed' }]
    const { result, settings } = explored(target)
    const { transitions: path, property } = result.violated!
    const request = { want: 'simulate', path, property, settings, code: null } as const
    const { scenario, why } = simulatedRun(definitionNamed('bully'), request)
    expect(scenario).toBeNull()
    expect(why).toContain('timers')
  })
})
