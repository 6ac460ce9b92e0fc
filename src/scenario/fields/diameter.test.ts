import { expect, it } from 'vitest'
import { simulate } from '../../../test/support/random-worlds.ts'
import { type Algorithm, algorithm, message, timer } from '../../core/index.ts'
import { sealed } from '../../core/runtime/sealed/sealed.ts'

const NEWS = message({})
const END = timer()

/** A node that waits as long as the diameter, told by the knowledge that it declares. */
function waiting(knows: readonly ('n' | 'diameter')[]): Algorithm {
  return algorithm({
    name: 'waiting',
    needs: { topology: 'any', ids: 'unique', knows, coins: true, start: 'together' },
    messages: { NEWS },
    timers: { END },
    state: {},
    wakes: false,
    start: (_, net) => net.after((net as { diameter: number }).diameter, END),
    on: { NEWS() {} },
    timeout: { END: (_, net) => (net.chance(1) ? net.lead() : net.stop()) },
  })
}

it('is told to own definitions that declare it, and to no others', () => {
  const told = sealed(waiting(['diameter']))
  expect(simulate(told, { topology: 'path:6' }).time.elected).toBe(5)
  expect(simulate(told, { topology: 'path:6', set: 'diameter=9' }).time.elected).toBe(9)
  expect(() => simulate(told, { topology: 'path:6', set: 'diameter=4' })).toThrow('not 4')
  expect(() => simulate(sealed(waiting(['n'])), { topology: 'path:6' })).toThrow(
    'net.diameter is not available',
  )
})

it('has a name that no parameter may take', () => {
  const taken = () =>
    algorithm({
      name: 'taken',
      needs: { topology: 'any', knows: ['diameter'] },
      messages: { NEWS },
      params: { diameter: { says: 'another', value: () => 1 } },
      state: {},
      wakes: false,
      start() {},
      on: { NEWS() {} },
    })
  expect(taken).toThrow('The name "diameter" is reserved')
})
