import {
  type Aggregate,
  type Algorithm,
  algorithm,
  flag,
  largest,
  message,
  nat,
  type Reasons,
  type Theory,
  type Timer,
  timer,
  type Values,
} from '../../core/index.ts'
import type { CallRule } from '../../core/language/aggregate.ts'
import type { Aggregation } from '../aggregation.ts'
import { latest } from './algorithm-cache.ts'
import { goesOn, roundParams } from './rounds.ts'

const NEVER = 'never'
const COUNTER = /^counter:([1-9]\d{0,3})$/
/** The type of the message that calls, by the way in which a rumor spreads. */
const CALLS: Readonly<Record<string, string>> = { push: 'rumor', pull: 'ask', pushpull: 'call' }

/** Who calls: push, those that know; pull, those that do not; pushpull, all. */
function ruleOf(how: string, stop: string): CallRule {
  const most = stop === NEVER ? Number.POSITIVE_INFINITY : Number(COUNTER.exec(stop)![1])
  return {
    call: CALLS[how],
    calls: (knows, met) => (knows ? how !== 'pull' && met < most : how !== 'push'),
    answers: (knows, callerKnows) => how !== 'push' && knows && !callerKnows,
    feedback: stop !== NEVER && how !== 'pull',
  }
}

const RUMOR = message({})
const ASK = message({})
const CALL = message({ knows: flag })
const KNOWN = message({})
const messages = { RUMOR, ASK, CALL, KNOWN }
const TICK = timer()

/** What a node knows, what it knew when the round began, and how many it called knew already. */
const state = { knows: nat, knew: flag, met: nat, begun: nat }

/**
 * Rumor spreading (Frieze and Grimmett 1985, Pittel 1987; pull and push-pull: Karp, Schindelhauer,
 * Shenker and Voecking 2000). One node knows a rumor. In each round all nodes act on what they knew
 * when it began: those that know call a random neighbour (push), those that do not ask one (pull),
 * or all call one (pushpull). On a complete network all know after log2 n + ln n rounds by push,
 * and log3 n + O(log log n) by pushpull.
 */
function rumorAlgorithm(aggregate: Aggregate, theory: Theory): Algorithm {
  const { call, calls, answers, feedback } = aggregate.calls!
  return algorithm({
    name: 'rumor',
    needs: { topology: 'any', knows: ['inputs'], coins: true },
    messages,
    timers: { TICK },
    params: roundParams,
    state,
    wakes: true,
    lasting: true,
    computes: { aggregate, carrier: null },

    start(my, net) {
      my.knows = aggregate.parts[0].start(my)
      my.knew = my.knows === 1
      net.after(0, TICK)
    },

    on: {
      RUMOR(my, _, net) {
        if (call === 'rumor' && feedback && my.knew) net.send(net.from, KNOWN, {})
        my.knows = 1
      },

      ASK(my, _, net) {
        if (my.knew) net.send(net.from, RUMOR, {})
      },

      CALL(my, { knows }, net) {
        if (answers(my.knew, knows)) net.send(net.from, RUMOR, {})
        if (feedback && my.knew && knows) net.send(net.from, KNOWN, {})
        if (knows) my.knows = 1
      },

      KNOWN(my) {
        my.met++
      },
    },

    timeout: {
      TICK(my, net) {
        my.knew = my.knows === 1
        const link = calls(my.knew, my.met) ? net.pick() : null
        if (link !== null) {
          if (call === 'call') net.send(link, CALL, { knows: my.knew })
          else net.send(link, call === 'ask' ? ASK : RUMOR, {})
        }
        if (goesOn(my)) net.after(my.period, TICK)
      },
    },

    display: {
      active: (my) => my.knows === 1,
      badge: { name: 'knows the rumor', of: (my) => (my.knows === 1 ? '✓' : null) },
    },

    reasons: {
      ...messageReasons,
      TICK: (my) =>
        calls(my.knows === 1, my.met)
          ? 'calls a random neighbour'
          : 'does not call, and waits to be called',
    },

    theory,
  })
}

const messageReasons: Reasons<Values<typeof state>, typeof messages, Record<never, Timer>> = {
  RUMOR: (my, _, __, { from, node }) =>
    my.knows === 1 ? 'knows the rumor already' : `hears the rumor from ${node(from)}`,
  ASK: (my, _, __, { from, node }) =>
    my.knew ? `tells ${node(from)} the rumor` : `had nothing to tell ${node(from)} this round`,
  CALL: (my, { knows }, _, { from, node }) => {
    if (my.knew === knows) return knows ? 'knows the rumor already' : 'hears nothing new'
    return knows ? `hears the rumor from ${node(from)}` : `tells ${node(from)} the rumor`
  },
  KNOWN: (_, __, ___, { from, node }) => `has told ${node(from)} what it knew already`,
}

const theory: Theory = {
  title: 'Rumor spreading',
  authors: 'Karp, Schindelhauer, Shenker, Voecking 2000',
  idea: 'One node knows a rumor. In every round, all at once, those that know it call a random neighbour and tell it (push), those that do not ask one (pull), or everyone calls and both learn (pushpull).',
  because:
    'By push the number of nodes that know about doubles in each round, until most do; then the few others are called by nobody with probability 1/e each. By pull the number of those that do not know is about squared in each late round. Together that takes log3 n + O(log log n) rounds.',
  breaks:
    'A limit on useless calls (stop=counter:k) ends the calls of a push, but leaves some nodes uninformed. The only node that knows may crash, and a cut network never learns it all.',
  cost: 'push: log2 n + ln n rounds; pushpull: log3 n + O(log log n) rounds',
  example: 'conclave run rumor -n 1000 --set how=pushpull',
  bounds: [],
}

const aggregates = new Map<string, Aggregate>()

function aggregateOf(how: string, stop: string): Aggregate {
  const key = `${how} ${stop}`
  const made = aggregates.get(key) ?? {
    parts: [{ name: 'knows', rule: largest, start: ({ chosen }) => (chosen === 0 ? 1 : 0) }],
    chosen: 1,
    calls: ruleOf(how, stop),
    estimate: (parts, at = 0) => parts[at],
    truth: () => 1,
  }
  aggregates.set(key, made)
  return made
}

/** How long, and how many messages, until all know. */
export const rumor: Aggregation<'rumor'> = {
  name: 'rumor',
  settings: {
    how: {
      says: 'who calls: push, the nodes that know; pull, the others; pushpull, all',
      otherwise: 'push',
      words: ['push', 'pull', 'pushpull'],
    },
    stop: {
      says: 'never, or counter:k: a node stops calling after k calls to nodes that knew already',
      otherwise: NEVER,
      words: [NEVER, 'counter:1', 'counter:2'],
      needed: 'never, or counter:k with k from 1 to 9999',
      accepts: (stop: string) => stop === NEVER || COUNTER.test(stop),
    },
  },
  holder: 0,
  aggregate: ({ how, stop }) => aggregateOf(String(how), String(stop)),
  theory,
  algorithm: latest(['how', 'stop'], ({ how, stop }) =>
    rumorAlgorithm(aggregateOf(String(how), String(stop)), theory),
  ),
}
