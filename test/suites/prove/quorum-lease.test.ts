import { describe, expect, it } from 'vitest'
import { quorumLease } from '../../../src/algorithms/complete/lease/quorum-lease.ts'
import {
  algorithm,
  flag,
  type Invariant,
  LED,
  type LinkSetView,
  link,
  maybe,
  message,
  set,
  stable,
  term,
  timer,
  type Uid,
  uid,
} from '../../../src/core/index.ts'
import { leaderPerTerm, oneLeaderPerTerm } from '../../../src/problems/index.ts'
import { refusalsOf } from '../../../src/prove/conditions.ts'
import { proveProperties } from '../../../src/prove/prove.ts'

/*
 * The untimed half of the quorum lease: a voter grants only terms above all that it has granted,
 * and a majority of grants makes a leader. Promises, renewals and clocks are left out.
 */

const ASK = message({ term })
const GRANT = message({ term })
const STAND = timer()

/** `again`: a voter also grants the term that it has granted last, to whoever asks. */
function grantsOfTerms(again: boolean) {
  return algorithm({
    name: again ? 'grants-twice' : 'grants-of-terms',
    needs: { topology: 'complete', ids: 'unique', knows: ['peers', 'voters'] },
    messages: { ASK, GRANT },
    timers: { STAND },
    state: {
      term: stable(term),
      holder: stable(maybe(uid)),
      /** Whether this node asks for its term or leads in it, and who has granted it. */
      stands: flag,
      answers: set(link),
    },
    wakes: true,
    quiet: 'never',
    problem: leaderPerTerm,
    elects: 'another',

    start(_, net) {
      net.after(1, STAND)
    },

    timeout: {
      STAND(my, net) {
        net.withdraw()
        my.term++
        my.holder = my.id
        my.stands = true
        my.answers = new Set()
        net.sendAll(ASK, { term: my.term })
        net.after(1, STAND)
        if (net.majority(my.answers, true)) net.lead({ term: my.term })
      },
    },

    on: {
      ASK(my, body, net) {
        if (body.term < my.term || (body.term === my.term && !again)) return
        my.term = body.term
        my.holder = net.peer(net.from)
        my.stands = false
        net.withdraw()
        net.send(net.from, GRANT, { term: body.term })
      },
      GRANT(my, body, net) {
        if (!my.stands || body.term !== my.term) return
        my.answers.add(net.from)
        if (net.majority(my.answers, true)) net.lead({ term: my.term })
      },
    },

    invariant: ({ nodes, each }): Invariant => ({
      'who grants a term has granted it': each(GRANT).and(0, (m) =>
        hasGranted(m.sender, m.term, m.to.id),
      ),
      'who stands has granted it to itself': nodes(1, (a) => !a.stands || a.holder === a.id),
      'what is counted was granted': nodes(
        2,
        (a, b) => !a.stands || !a.answers.has(b) || hasGranted(b, a.term, a.id),
      ),
      'a voter grants a term once': each(GRANT, GRANT).and(
        0,
        (m, o) => m.sender !== o.sender || m.term !== o.term || m.to === o.to,
      ),
      'a grant that was counted is the only one': each(GRANT).and(
        1,
        (m, a) => !counts(a, m.sender, m.term) || m.to === a,
      ),
      'two who stand for a term count different grants': nodes(
        3,
        (a, b, c) => !counts(a, c, a.term) || !counts(b, c, a.term) || a === b,
      ),
      'who granted a term to its leader grants it to nobody else': each(LED, GRANT).and(
        0,
        (led, m) => led.term !== m.term || !led.votes.has(m.sender) || m.to === led.to,
      ),
      'nobody else counts a grant for a leader': each(LED).and(
        2,
        (led, a, b) => !led.votes.has(b) || !counts(a, b, led.term) || a === led.to,
      ),
      'two leaders of a term have different grants': each(LED, LED).and(
        1,
        (one, other, b) =>
          one.term !== other.term ||
          !one.votes.has(b) ||
          !other.votes.has(b) ||
          one.to === other.to,
      ),
      'a leader has a majority': each(LED).and(0, (led) => led.votes.majority),
      'a leader was granted its term': each(LED).and(
        1,
        (led, b) => !led.votes.has(b) || hasGranted(b, led.term, led.to.id),
      ),
    }),
  })
}

/** Whether a voter has granted a term so, unless it has granted a later one. */
function hasGranted(
  voter: { readonly term: number; readonly holder: Uid | null },
  granted: number,
  to: Uid,
): boolean {
  return voter.term > granted || (voter.term === granted && voter.holder === to)
}

/** Whether a node that stands for a term has counted the grant of a voter. */
function counts(
  node: { readonly stands: boolean; readonly term: number; readonly answers: LinkSetView },
  voter: object,
  asked: number,
): boolean {
  return node.stands && node.term === asked && node.answers.has(voter)
}

describe('the untimed half of the quorum lease', () => {
  it('has one leader in a term, on every complete network', () => {
    const result = proveProperties(grantsOfTerms(false), [oneLeaderPerTerm])
    expect(result.clauses.filter(({ proved }) => !proved).map(({ name }) => name)).toEqual([])
    expect(result.verdict).toBe('proved')
    expect(result.for).toEqual({ order: 'any', losses: true, duplicates: true, recoveries: true })
  })

  // Proofs of other mutants are tried daily: mutants.test.ts.
  it.runIf(process.env.LONG_TESTS)('is not proved where a voter grants a term twice', () => {
    expect(proveProperties(grantsOfTerms(true), [oneLeaderPerTerm]).verdict).toBe('open')
  })
})

describe('the quorum lease of the catalogue', () => {
  it('is refused: it has clocks, incarnations, maps and numbers without a limit', () => {
    const problems = refusalsOf(quorumLease).map(({ problem }) => problem)
    for (const problem of ['it needs clocks.', 'it knows incarnation.', 'state.heard is a map.'])
      expect(problems).toContain(problem)
    expect(problems).toContain('state.number may be any number.')
  })
})
