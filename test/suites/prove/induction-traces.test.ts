import { describe, expect, it } from 'vitest'
import {
  changRoberts,
  hirschbergSinclair,
  hirschbergSinclairOneWay,
  lcr,
  leLann,
} from '../../../src/algorithms/index.ts'
import type { Algorithm, State } from '../../../src/core/index.ts'
import { propertiesOf } from '../../../src/problems/algorithm-properties.ts'
import { proveProperties } from '../../../src/prove/prove.ts'
import { counterexampleJson } from '../../../src/prove/report/counterexample-json.ts'
import { explorable } from '../../../src/scenario/check-target.ts'
import { actingState } from '../../../src/trace/given-start.ts'
import { inductionTrace } from '../../../src/trace/induction-trace.ts'
import { replayChecked } from '../../../src/trace/replay-check.ts'
import { readTraceFile, type TraceFile } from '../../../src/trace/trace-file.ts'
import { stepOfFirst } from '../../support/prove/ring-configurations.ts'

/* Counterexamples to induction as traces: read back, and executed by two engines. */

const LONG = process.env.LONG_TESTS !== undefined

/** Definitions without one of their clauses, or without any: so that something is not proved. */
function weakened(algorithm: Algorithm): Algorithm[] {
  const stated = Object.entries(algorithm.invariant())
  const less = LONG ? stated.map(([name]) => [name]) : []
  return [stated.map(([name]) => name), ...less].map((dropped) => ({
    ...algorithm,
    invariant: () => Object.fromEntries(stated.filter(([name]) => !dropped.includes(name))),
  }))
}

/** The trace of each counterexample; a definition without one is no subject here. */
function tracesOf(algorithm: Algorithm): { readonly clause: string; readonly text: string }[] {
  const { clauses, for: links } = proveProperties(algorithm, propertiesOf(algorithm, false))
  const assumed = clauses.filter(({ proved }) => proved).map(({ name }) => name)
  return clauses.flatMap(({ name: clause, counterexample }) => {
    if (counterexample === null) return []
    const cti = counterexampleJson(algorithm, counterexample, clause)
    const broken = { clause, cti, order: links.order, assumed }
    const trace = inductionTrace(explorable(algorithm), broken)
    if ('problem' in trace) throw new Error(`${clause}: ${trace.problem}`)
    return [{ clause, text: trace.text }]
  })
}

const noFile = () => {
  throw new Error('there is no file')
}

function replayed(algorithm: Algorithm, text: string) {
  const file = readTraceFile(text, 'step.jsonl')
  return {
    file,
    ...replayChecked(file, file.explored!, explorable(algorithm), 'step.jsonl', noFile),
  }
}

/** The acting node after the step, by handlers that run outside the checker. */
function secondSuccessor(algorithm: Algorithm, { scenario, explored }: TraceFile) {
  const { start } = explored!.induction!
  const ids = scenario.ids as number[]
  const nodes = start.states.map((fields, i) => ({ id: ids[i], ...fields }) as State)
  const messages = start.messages.map(({ node, link, type, body }) => ({
    ...{ to: node, from: link, body },
    kind: algorithm.kinds.findIndex(({ name }) => name === type),
  }))
  const [{ event }] = explored!.moves
  const step = event === 'wake' ? 'wake' : { delivered: 0 }
  return stepOfFirst(algorithm, { nodes, messages }, step)!
}

const subjects = [
  ['lcr', lcr],
  ['chang-roberts', changRoberts],
  ['le-lann', leLann],
  ['hirschberg-sinclair', hirschbergSinclair],
  ['hirschberg-sinclair-one-way', hirschbergSinclairOneWay],
] as const

describe('a counterexample to induction in a trace', () => {
  it.each(subjects)('is read back, and breaks its clause again: %s', (_, algorithm) => {
    let traces = 0
    for (const weak of weakened(algorithm))
      for (const { clause, text } of tracesOf(weak)) {
        const { file, properties, world, events } = replayed(weak, text)
        expect(properties).toMatchObject([{ name: clause, holds: false }])
        expect(file.explored!.property).toBe(clause)
        traces++
        const { rules, moves, induction } = file.explored!
        if (moves.length === 0) continue
        const second = secondSuccessor(weak, file)
        expect(actingState(world, rules, moves)).toEqual(second.after)
        expect(second.after).toMatchObject(induction!.cti.step!.after)
        const sent = events.flatMap((one) => (one.event === 'send' && one.at > 0 ? [one] : []))
        expect(sent.map(({ type, to, body }) => [type, to, body])).toEqual(
          second.sends.map(({ kind, to, body }) => [weak.kinds[kind].name, to, body]),
        )
      }
    expect(traces).toBeGreaterThan(0)
  })
})

/** What a first line has that is changed here. */
interface Checked {
  readonly start: { readonly states: object[]; readonly messages: object[] }
  readonly cti: { readonly nodes: object[]; readonly step: { readonly after: object } }
}

describe('a trace that was changed', () => {
  const bare = { ...lcr, invariant: () => ({}) }
  const [{ text }] = tracesOf(bare)

  /** The trace with something else in its first line. */
  function changed(change: (check: Checked) => void): string {
    const [first, ...events] = text.split('\n')
    const head = JSON.parse(first)
    change(head.check)
    return [JSON.stringify(head), ...events].join('\n')
  }

  const cases: [string, (check: Checked) => unknown, RegExp][] = [
    [
      'is broken before',
      (it) => Object.assign(it.start.states[0], { status: 'leader' }),
      /other values/,
    ],
    ['has a state too many', (it) => it.start.states.push({}), /with the same start/],
    ['lacks a field', (it) => Object.assign(it.start.states[1], { leader: undefined }), /leader/],
    ['has another type', (it) => Object.assign(it.start.states[1], { leader: 'x' }), /leader/],
    [
      'has another message',
      (it) => Object.assign(it.start.messages[0], { type: 'x' }),
      /no messages "x"/,
    ],
    ['has another link', (it) => Object.assign(it.start.messages[0], { link: 7 }), /no link 7/],
    ['names another clause', (it) => Object.assign(it, { property: 'x' }), /no clause "x"/],
    ['names none', (it) => Object.assign(it, { property: null }), /no property/],
    [
      'leads elsewhere',
      (it) => Object.assign(it.cti.step.after, { stopped: true }),
      /another state/,
    ],
    [
      'does something else',
      (it) => Object.assign(it, { moves: [{ event: 'wake', node: 0 }] }),
      /another state/,
    ],
  ]

  it.each(cases)('%s', (_, change, says) => {
    expect(() => replayed(bare, changed(change))).toThrow(says)
  })

  it('fails before the step', () => {
    const twice = changed((it) => {
      for (const state of [it.start.states[0], it.cti.nodes[0]])
        Object.assign(state, { status: 'leader' })
    })
    expect(() => replayed(bare, twice)).toThrow(/fails before the step/)
  })
})

it('a step on a complete network, or one in which a handler throws, is no trace', () => {
  const [{ text }] = tracesOf({ ...lcr, invariant: () => ({}) })
  const { cti } = readTraceFile(text, 'step.jsonl').explored!.induction!
  const broken = { clause: 'at most one leader', order: 'any', assumed: [] } as const
  const problem = (other: object) =>
    inductionTrace(explorable(lcr), { ...broken, cti: { ...cti, ...other } })
  expect(problem({ topology: 'complete' })).toEqual({ problem: expect.stringMatching(/majority/) })
  expect(problem({ step: { ...cti.step!, violation: 'it throws' } })).toEqual({
    problem: expect.stringMatching(/no events/),
  })
  // What the engine does not do is not written.
  expect(problem({ step: { ...cti.step!, sends: [] } })).toEqual({
    problem: expect.stringMatching(/no values/),
  })
})
