import { describe, expect, it } from 'vitest'
import { UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import { check } from './check.ts'
import { experiment } from './experiment.ts'
import { join } from './join.ts'
import { simulate } from './simulate.ts'

type Call = (options: unknown) => unknown

/** Small worlds, so that accepted options take no time, and an address of no machine. */
function small(name: string, options: object): object {
  const joining = { me: 0, addresses: ['192.0.2.1:7001', '192.0.2.1:7002'] }
  return { ...(name === 'join' ? joining : { n: 3 }), ...options }
}

const FUNCTIONS: Readonly<Record<string, Call>> = {
  simulate: (options) => simulate('lcr', options as never),
  'simulate of an aggregation': (options) => simulate('gossip-average', options as never),
  check: (options) => check('lcr', options as never),
  experiment: (options) => experiment('lcr', options as never),
  join: (options) => join('lcr', options as never),
}
const functions = Object.entries(FUNCTIONS)

/** What a call throws; null if it throws nothing. */
async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call()
    return null
  } catch (error) {
    return error
  }
}

async function messageOf(call: () => unknown): Promise<string> {
  const error = await thrownBy(call)
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message
}

describe.each(functions)('the options of %s', (_, call) => {
  it.each([
    [null, 'null'],
    [[], '[]'],
    ['n=3', '"n=3"'],
    [3, '3'],
    [3n, '3n'],
    [new Map(), '{}'],
    [() => 3, 'a function'],
  ])('are not an object: %s', async (options, shown) => {
    const message = await messageOf(() => call(options))
    expect(message).toBe(`options: expected an object, got ${shown}. Write for example { n: 8 }.`)
  })

  it('are suggested where they are misspelt', async () => {
    const message = await messageOf(() => call({ value: 3, sed: 1 }))
    expect(message).toBe('value: there is no option of this name. Did you mean values?')
  })
})

describe('options', () => {
  const { simulate: run, check: explore, experiment: measure, join: enter } = FUNCTIONS
  const addresses = ['127.0.0.1:7001', '127.0.0.1:7002']

  it.each<[Call, object, string]>([
    [run, { n: 3n }, 'n: expected a whole number from 1 to 134,217,728, got 3n.'],
    [run, { n: Number.NaN }, 'n: expected a whole number from 1 to 134,217,728, got NaN.'],
    [run, { n: 3, loss: Number.POSITIVE_INFINITY }, 'loss: expected a probability'],
    [run, { ids: [1, Number.NaN] }, 'ids: expected an id from 0 to 2^53 - 1, got NaN.'],
    [run, { trace: 3 }, 'trace: expected a function, got 3.'],
    [run, { traffic: 'x' }, 'traffic: expected true or false, got "x".'],
    [run, { order: 'fiof' }, 'order: expected one of fifo, any, got "fiof". Did you mean fifo?'],
    [explore, { n: 3, onProgress: 3 }, 'onProgress: expected a function, got 3.'],
    [explore, { n: 3, exact: 1 }, 'exact: expected true or false, got 1.'],
    [explore, { n: 3, crashes: 5 }, 'crashes: 5 crashes are too many for 3 nodes.'],
    [explore, { n: 3, crashes: Number.NaN }, 'crashes: expected a whole number'],
    [explore, { n: 3, cuts: 1 }, 'cuts: link cuts work with'],
    [explore, { n: 3, recoveries: 1 }, 'recoveries: the number of recoveries (1) exceeds'],
    [explore, { n: 3, reappear: true }, 'reappear: reappear needs at least one recovery.'],
    [explore, { n: 2000 }, 'topology: ring:2000 has 2,000 nodes'],
    [explore, { n: 3, crash: [{ node: 1, at: 3 }] }, 'crash: the checker takes nodes that are'],
    [measure, { onProgress: 3 }, 'onProgress: expected a function, got 3.'],
    [measure, { repeat: Number.NaN }, 'repeat: expected a number of repeats'],
    [measure, { sweep: [] }, 'sweep: expected an object, got [].'],
    [measure, { sweep: { m: [1] } }, 'sweep.m: there is no option of this name.'],
    [measure, { sweep: { 'elect-by': ['id'] } }, 'sweep.elect-by: there is no option of this'],
    [measure, { n: 3, sweep: { n: [4] } }, 'sweep.n: n is also given as an option.'],
    [measure, { sweep: { n: [3, -1] } }, 'sweep.n (n -1): expected a whole number'],
    [measure, { sweep: { n: [3] }, crash: [7] }, 'crash (n 3): expected a position from 0 to 2'],
    [enter, { addresses: [7001] }, 'addresses[0]: expected an address, got 7001.'],
    [enter, { addresses, me: Number.NaN }, 'me: expected a position from 0 to 1, got NaN.'],
    [enter, { addresses, me: 0, priority: 3 }, 'priority: expected a function, got 3.'],
    [enter, { addresses, me: 0, heartbeat: Number.NaN }, 'heartbeat: expected milliseconds'],
  ])('%# are refused by their names', async (call, options, message) => {
    const thrown = await messageOf(() => call(options))
    expect(thrown.slice(0, message.length)).toBe(message)
  })

  it('show values that JSON does not have', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    expect(
      [Number.NaN, -Infinity, [1, Number.NaN, 3n], { at: Infinity }, cycle].map(quoted),
    ).toEqual(['NaN', '-Infinity', '[1,NaN,3n]', '{"at":Infinity}', '[object Array]'])
    expect([undefined, Symbol('s'), '\0NaN'].map(quoted)).toEqual([
      'undefined',
      'Symbol(s)',
      '"\\u0000NaN"',
    ])
  })
})

it('an option that is near to another, or has its value, names that one', async () => {
  const { simulate: run, check: explore } = FUNCTIONS
  expect(await messageOf(() => run({ sede: 3 }))).toContain('Did you mean seed?')
  expect(await messageOf(() => explore({ crash: 1 }))).toContain('or crashes: 1 for')
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    for (const call of [run, explore])
      expect(await messageOf(() => call(JSON.parse(`{"n": 3, "${key}": 1}`)))).toContain(
        `${key}: there is no option`,
      )
})

describe('nonsense', () => {
  const VALUES: readonly unknown[] = [
    ...[null, Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 3n, true, '', 'x', Symbol('s')],
    ...[[], [null], [{}], [Number.NaN], {}, { x: 1 }, new Map(), () => 3],
  ]

  /** The options that a function has, as its error lists them. */
  async function optionsOf(call: Call): Promise<string[]> {
    const error = (await thrownBy(() => call({ '???': 1 }))) as UsageError
    return error.hint.replace(/^The options are (.*)\.$/, '$1').split(', ')
  }

  it.each(functions)(
    'in any option of %s is accepted or refused by its name',
    async (name, call) => {
      const wrong: string[] = []
      for (const option of await optionsOf(call))
        for (const value of VALUES) {
          const error = await thrownBy(() => call(small(name, { [option]: value })))
          if (error === null) continue
          const { message } = error as Error
          if (message.startsWith('Cannot listen on 192.0.2.1:7001')) continue
          if (error instanceof UsageError && message.startsWith(option)) continue
          wrong.push(`${option}: ${quoted(value)} -> ${message.slice(0, 100)}`)
        }
      expect(wrong).toEqual([])
    },
  )
})
