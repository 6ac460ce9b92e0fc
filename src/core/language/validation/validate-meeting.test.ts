import { describe, expect, it } from 'vitest'
import { algorithm, flag, message, nat, real, timer, uid } from '../index.ts'

const base = {
  name: 'mine',
  needs: { topology: 'any' },
  messages: {},
  state: { passive: flag },
  wakes: false,
  start() {},
  on: {},
  meet() {},
}

const made = (changes: object) => () => algorithm({ ...base, ...changes } as never)

describe('a definition with meet', () => {
  it('is one that never falls silent, and whose nodes start together', () => {
    expect(algorithm(base as never)).toMatchObject({
      quiet: 'never',
      lasting: false,
      needs: { topology: 'any', start: 'together' },
    })
    expect(algorithm({ ...base, meet: undefined } as never).meet).toBe(null)
  })

  it.each([
    [{ meet: 3 }, 'mine: meet: expected a function, got 3. Write meet(my, other, net) { ... }.'],
    [{ meet: async () => {} }, 'mine: meet: meet is async'],
    [
      { messages: { PING: message({ id: uid }) }, on: { PING() {} } },
      'mine: messages: nodes that meet send no messages, but PING is declared. Write messages: {} and on: {}, or remove meet.',
    ],
    [
      { timers: { BEAT: timer() }, timeout: { BEAT() {} } },
      'mine: timers: an algorithm whose nodes meet has no timers: there are only start and meet. Remove it, or remove meet.',
    ],
    [{ down() {} }, 'mine: down: an algorithm whose nodes meet has no down'],
    [{ lasting: true }, 'mine: lasting: '],
    [{ starters: 'first' }, 'mine: starters: all nodes start before the first meeting. Remove it.'],
    [
      { needs: { topology: 'any', knows: ['n', 'peers'] } },
      "mine: needs: knows: nodes that meet cannot know 'peers'",
    ],
    [
      { needs: { topology: 'any', time: 'rounds' } },
      "mine: needs: time: 'rounds' is about messages, but nodes that meet send none. Leave it out.",
    ],
    [{ needs: { topology: 'any', order: 'fifo' } }, 'mine: needs: order: '],
    [{ state: { share: real } }, 'mine: state: share holds a fraction'],
    [{ reasons: { PING() {} } }, 'mine: reasons: PING is not one of'],
  ])('is refused with what does not fit: %#', (changes, says) => {
    expect(made(changes)).toThrow(says)
  })

  it('may have ids, know n, toss coins, and say why', () => {
    const needs = { topology: 'ring', ids: 'unique', knows: ['n'], coins: true }
    expect(made({ needs, state: { count: nat }, reasons: { meet: () => 'so' } })).not.toThrow()
  })
})
