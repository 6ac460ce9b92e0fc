import { describe, expect, it } from 'vitest'
import {
  aggregations,
  catalogue,
  definitionNamed,
  findDefinition,
  isOfCatalogue,
  otherNames,
} from '../../../src/algorithms/index.ts'
import { simulate } from '../../../src/api/simulate.ts'
import { algorithm } from '../../../src/core/index.ts'
import { expectUsageError, shell, shellJson } from '../../support/run-command.ts'

const all = [...catalogue, ...aggregations]

const OTHERS = [
  ['Mega-Merger', 'ghs'],
  ['Stages', 'franklin'],
  ['UniStages', 'peterson'],
  ['DKR', 'uni-alternate'],
  ['AsFar', 'chang-roberts'],
  ['Control', 'hirschberg-sinclair'],
  ['variable speeds', 'slow-fast'],
  ['Humblet', 'afek-gafni'],
  ['Korach-Kutten-Moran', 'afek-gafni'],
] as const

describe('other names of the literature', () => {
  it.each(OTHERS)('%s is %s', (other, name) => {
    const spelt = [other, other.toLowerCase(), other.replaceAll('-', ' '), other.toUpperCase()]
    for (const one of [...spelt, other.replace(/[\s-]/g, '_')])
      expect(findDefinition(one)?.name).toBe(name)
  })

  it.each(all.map((one) => [one.name, one] as const))('%s is found by all its names', (_, one) => {
    for (const name of [one.name, one.name.toUpperCase(), ...otherNames(one)])
      expect(findDefinition(name)).toBe(one)
  })

  it('name one algorithm each, and are not the name of another', () => {
    const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')
    for (const [i, one] of all.entries()) {
      const own = otherNames(one).map(plain)
      for (const other of all.slice(i + 1))
        expect(
          own.filter((name) => [other.name, ...otherNames(other)].map(plain).includes(name)),
        ).toEqual([])
    }
  })

  it('take no name from an own algorithm', () => {
    const state = {}
    const needs = { topology: 'ring' } as const
    const own = algorithm({
      ...{ name: 'Stages', needs, messages: {}, state, wakes: false, on: {} },
      start: (_, net) => net.lead(),
    })
    expect(isOfCatalogue(own)).toBe(false)
  })

  it('are understood by run, check, explain and roles; standard error says so', async () => {
    const run = await shell('run', 'AsFar', '-n', '4', '--json')
    expect(run.err).toBe('AsFar is chang-roberts here.\n')
    expect(JSON.parse(run.out).scenario.algorithm).toBe('chang-roberts')
    const plain = await shell('run', 'chang-roberts', '-n', '4')
    expect((await shell('run', 'as far', '-n', '4')).out).toBe(plain.out)
    const checked = await shell('check', 'mega-merger', '-n', '3', '--json')
    expect([checked.code, checked.err]).toEqual([0, 'mega-merger is ghs here.\n'])
    expect((await shell('explain', 'STAGES')).out).toMatch(
      /^franklin .*\n\nAlso known as\n {2}Stages\n/,
    )
    const { scenario } = await shellJson<{ scenario: { role: string[] } }>(
      ...['run', 'lcr', '-n', '4', '--role', 'a=stages'],
    )
    expect(scenario.role).toEqual(['a=stages'])
  })

  it('are quiet where only case, spaces and hyphens differ', async () => {
    expect((await shell('run', 'LCR', '-n', '3')).err).toBe('')
    expect((await shell('run', 'hirschberg sinclair', '-n', '3')).err).toBe('')
  })

  it('leave a mistake in one line', async () => {
    await expectUsageError(['run', 'AsFar', '--topology', 'complete:3'], '--topology', 'ring')
    await expectUsageError(['run', 'Mega-Mergr'], 'algorithm', 'Did you mean Mega-Merger?')
    await expectUsageError(['check', 'Stagse', '-n', '3'], 'algorithm', 'Did you mean Stages?')
    await expectUsageError(['AsFar'], 'conclave', 'AsFar is an algorithm, not a command.')
  })

  it('are understood by the library', () => {
    const { leader } = simulate('AsFar' as 'lcr', { ids: [3, 1, 2] })
    expect(leader?.id).toBe(3)
    expect(definitionNamed('leased:Bully').name).toBe('leased:bully')
  })
})

interface Entry {
  readonly name: string
  readonly network: string
  readonly also: string[]
  readonly family: string
  readonly aggregates: boolean
  readonly anonymous: boolean
}

const listed = async (...words: string[]) =>
  (await shellJson<Entry[]>('list', ...words)).map(({ name }) => name)

describe('list', () => {
  it('filters by network, timing, ids, random choices, crashes and terms', async () => {
    const rings = await listed('--topology', 'ring')
    expect(rings).toEqual(expect.arrayContaining(['lcr', 'time-slice', 'itai-rodeh']))
    expect(rings).not.toContain('bully')
    expect(rings).not.toContain('ghs')
    expect(await listed('-t', 'ring:8')).toEqual(rings)
    const timeless = await listed('-t', 'ring', '--model', 'asynchronous')
    expect(timeless).not.toContain('time-slice')
    const rounds = await listed('-t', 'ring', '--model', 'synchronous')
    expect([...timeless, ...rounds].toSorted()).toEqual(rings.toSorted())
    expect(await listed('--model', 'sync', '-t', 'ring')).toEqual(rounds)
    expect(await listed('--model', 'bounded-delay')).toEqual(['bully', 'bully-textbook', 'omega'])
    const anonymous = await listed('--anonymous', '--elections')
    expect(anonymous).toContain('itai-rodeh')
    expect(anonymous).not.toContain('lcr')
    expect(await listed('--random', '-t', 'ring')).toContain('itai-rodeh')
    const lasting = await listed('--crashes', '-t', 'complete')
    expect(lasting).toEqual(expect.arrayContaining(['bully', 'ring-list', 'quorum-lease']))
    expect(lasting).not.toContain('singh')
    expect(await listed('--terms')).toContain('quorum-lease')
    expect(await listed('--terms')).not.toContain('bully')
  })

  it('splits into elections and aggregations', async () => {
    const [elections, others] = [await listed('--elections'), await listed('--aggregations')]
    expect([...elections, ...others].toSorted()).toEqual((await listed()).toSorted())
    expect(others).toEqual(expect.arrayContaining(aggregations.map(({ name }) => name)))
    expect(others).toContain('tree-aggregate')
  })

  it('is sorted by family, then by name', async () => {
    const entries = await shellJson<Entry[]>('list')
    const families = [...new Set(entries.map(({ family }) => family))]
    expect(families.at(0)).toBe('ring')
    expect(families.slice(-2)).toEqual(['any', 'aggregations'])
    for (const family of families) {
      const names = entries.filter((one) => one.family === family).map(({ name }) => name)
      expect(names).toEqual(names.toSorted())
      const first = entries.findIndex((one) => one.family === family)
      expect(entries.slice(first, first + names.length).map(({ name }) => name)).toEqual(names)
    }
  })

  it('finds words in names, other names and authors', async () => {
    expect(await listed('megamerger')).toEqual(['ghs'])
    expect(await listed('garcia')).toEqual(['bully', 'bully-textbook'])
    expect(await listed('hirschberg', 'one')).toEqual(['hirschberg-sinclair-one-way'])
    expect(await listed('nobody')).toEqual([])
    const { code, out } = await shell('list', 'nobody')
    expect([code, out]).toEqual([0, 'No algorithm of the catalogue has all of this.\n'])
  })

  it('--also shows other names, in 80 columns', async () => {
    const { out } = await shell('list', '--also')
    for (const { theory } of all)
      for (const other of theory.also ?? []) expect(out.replace(/\s+/g, ' ')).toContain(other)
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect((await shell('list')).out).not.toContain('AsFar')
  })

  it('says what else runs on a network', async () => {
    expect((await shell('list', '-t', 'ring')).out).toContain('run there, too: --topology any')
    expect((await shell('list', '-t', 'grid')).out).not.toContain('run there, too')
    expect((await shell('list', '-t', 'ring', '--terms')).out).not.toContain('there, too')
    expect(await listed('-t', 'grid')).toEqual(await listed('-t', 'any'))
  })

  it.each([
    [['--topology', 'rin'], '--topology', 'Did you mean ring?'],
    [['--topology', ''], '--topology', 'The networks are '],
    [['--model', 'lazy'], '--model', 'Choose one of asynchronous, '],
    [['--topolgy', 'ring'], 'conclave list', 'Did you mean --topology?'],
  ])('refuses %j', (words, where, says) => expectUsageError(['list', ...words], where, says))
})
