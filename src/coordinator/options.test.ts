import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../core/usage-error.ts'
import { milliseconds } from './duration.ts'
import { type CoordinatorOptions, checkedOptions, checkRole, PRESETS, timingOf } from './options.ts'

const members = { a: '10.0.0.1:7001', b: { address: '10.0.0.2:7001' }, c: 'c.example:7001' }
const given: CoordinatorOptions = { cluster: 'billing', me: 'a', members, storage: './state' }

function problemWith(changed: object): string {
  try {
    checkedOptions({ ...given, ...changed } as CoordinatorOptions)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
  return 'none'
}

describe('times', () => {
  test.each([
    ['300ms', 300],
    ['1s', 1000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    [250, 250],
    [333.4, 333],
    ['0.0015s', 2],
    [0, 0],
  ])('%s is %d ms', (text, ms) => {
    expect(milliseconds('lease', text)).toBe(ms)
  })

  test.each(['', '1', '-1s', 's', '1 s', '1d', Number.NaN, -1, Number.POSITIVE_INFINITY, null])(
    '%s is refused',
    (text) => {
      expect(() => milliseconds('lease', text)).toThrow(/^lease: a time from/)
    },
  )

  test('a preset gives the lease, and all other times follow from it', () => {
    for (const [preset, lease] of Object.entries(PRESETS)) {
      const timing = timingOf({ preset: preset as keyof typeof PRESETS })
      expect(timing).toMatchObject({ lease, limit: lease, drain: lease, beat: lease / 4 })
      expect(timingOf({ lease })).toEqual(timing)
    }
    expect(PRESETS).toEqual({ local: 300, lan: 1000, wan: 5000 })
    expect(timingOf({}).lease).toBe(1000)
  })

  test.each([
    [{ lease: '10ms' }, 'lease: a time from 50ms to a day'],
    [{ lease: '2s', limit: '1s' }, 'limit: this voter would refuse its own lease'],
    [{ timeout: '100ms' }, 'timeout: 100ms is less than one and a half beats of 250ms'],
    [{ margin: '600ms' }, 'margin: of a lease of 1s too little is left'],
    [{ notice: '800ms' }, 'notice: of a lease of 1s too little is left'],
    [{ drift: 0.9 }, 'drift: a ratio from 0 to 0.5'],
    [{ drift: '5%' }, 'drift: a ratio from 0 to 0.5'],
    [{ preset: 'lann' }, 'preset: "lann" is none of local, lan, wan. Did you mean lan?'],
  ])('that do not fit together are refused: %j', (changed, problem) => {
    expect(problemWith(changed)).toContain(problem)
  })
})

describe('options', () => {
  test('that are right are taken, with all addresses in one form', () => {
    const { addresses, timing } = checkedOptions(given)
    expect(addresses).toEqual({
      a: { address: '10.0.0.1:7001' },
      b: { address: '10.0.0.2:7001' },
      c: { address: 'c.example:7001' },
    })
    expect(timing.lease).toBe(1000)
    const record = '_conclave._tcp.billing.example.org'
    const shared = { members: { a: record, b: record }, listen: '0.0.0.0:7001' }
    expect(problemWith(shared)).toBe('none')
    const { storage: _, ...watching } = given
    expect(checkedOptions({ ...watching, me: 'w', observe: true }).observe).toBe(true)
  })

  test.each([
    [{ clusterr: 'x' }, 'there is no option "clusterr". Did you mean cluster?'],
    [{ cluster: 'no spaces' }, 'cluster: "no spaces" is not a name'],
    [{ cluster: undefined }, 'coordinator: cluster is missing. Write for example'],
    [{ cluster: undefined, me: undefined }, 'coordinator: cluster, me are missing.'],
    [{ me: 'd' }, 'me: "d" is not among the members a, b, c.'],
    [{ members: {} }, 'members: the addresses of the members by name are missing'],
    [{ members: { a: 7001 } }, 'members.a: the address is missing'],
    [{ members: { 'a b': 'x:1' } }, 'members: "a b" is not a name'],
    [{ members: { a: 'x:1', b: 'y:1', c: 'x:1' } }, 'members: a and c have the same address, x:1.'],
    [
      { members: { a: { address: 'x:1', kind: 'witness' } } },
      'members: only witnesses would vote, and none of them leads. Keep at least one voter.',
    ],
    [{ storage: undefined }, 'storage: a member needs a folder'],
    [{ observe: true, bootstrap: true }, 'bootstrap: an observer does not vote'],
    [{ bootstrap: 1 }, 'bootstrap: a boolean is needed, but 1 was given'],
    [{ fast: 'very' }, 'fast: true, false or connection is needed, but "very" was given'],
    [{ log: 'verbose' }, 'log: a function is needed'],
    [{ secret: 'short' }, 'secret: fewer than 16 characters'],
    [{ secret: 'x'.repeat(20), tls: {} }, 'secret: certificates prove membership already'],
  ])('that are wrong are refused before anything starts: %j', (changed, problem) => {
    expect(problemWith(changed)).toContain(problem)
  })
})

describe('docs/api.md', () => {
  const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
  const [, section] = page.split('\n## coordinator\n')
  const [, ofNode, ofRole] = section
    .split('\n## ')[0]
    .split('| Option')
    .map((table) => [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name))

  test.each<[string, string[], () => unknown]>([
    ['a node', ofNode, () => checkedOptions({ unknown: true } as never)],
    ['a role', ofRole, () => checkRole('cron', { unknown: true } as never)],
  ])('has exactly the options of %s', (_, listed, call) => {
    let hint = ''
    try {
      call()
    } catch (error) {
      hint = (error as UsageError).hint
    }
    const known = hint.replace(/^There are (.*)\.$/, '$1').split(', ')
    expect(listed.toSorted()).toEqual(known.toSorted())
  })
})
