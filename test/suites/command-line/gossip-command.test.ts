import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aggregations, byMessages } from '../../../src/algorithms/index.ts'
import type { AggregationReport } from '../../../src/cli/run/gossip-report.ts'
import { shell, shellJson } from '../../support/run-command.ts'

const run = (line: string) => shellJson<AggregationReport>('run', ...line.split(' '))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const timeless = ({ speed: _, ...report }: AggregationReport) => report

describe('run of an aggregation', () => {
  it.each([
    ['cycles', 'cycle', 1],
    ['async', 'time', 10],
  ])('has the fields of the contract: %s', async (timing, unit, length) => {
    const report = await run(`gossip-average -n 100 --until 20 --timing ${timing}`)
    expect(report.cycles).toHaveLength(21)
    expect(report.cycles[0]).toMatchObject({ cycle: 0, factor: null })
    for (const [i, { factor, variance }] of report.cycles.entries())
      if (i > 0) expect(factor).toBe(variance! / report.cycles[i - 1].variance!)
    const { variance } = report.cycles[20]
    expect(report.factor).toBe((variance! / report.cycles[0].variance!) ** (1 / 20))
    expect(report.messages).toMatchObject({ total: 4000, byType: { push: 2000, answer: 2000 } })
    expect(report.time).toMatchObject({ unit, last: 20 * length })
    expect(report).toMatchObject({ n: 100, links: 4950, verdict: { ok: true } })
    const mean = report.nodes!.reduce((sum, { value }) => sum + value, 0) / 100
    expect(report.truth).toBeCloseTo(mean, 12)
    for (const { estimate } of report.nodes!) expect(estimate).toBeCloseTo(mean, 4)
    const reached = report.cycles.findIndex(({ within }) => within === 1)
    expect(report.time.reached).toBe(reached * length)
  })

  it('is the same again from its own scenario, and another with another seed', async () => {
    for (const line of [
      'gossip-average -n 50 --loss 0.2 --crash 0.5@4 --set order=pairs --set epoch=10 --seed 7 --timing cycles',
      'gossip-average -n 50 --delay exponential:3 --order any --wake 0,4@3 --crash 7@4 --recover 7@6 --set epoch=8',
      'gossip-sum -n 30 --duplicate 0.1 --loss 0.1 --partition 0,1,2/3,4@2..5 --set period=0.5 --delay constant:0.1',
      'gossip-count -t k-out:60:4 --set instances=3 --values index;3@5=7;drift:0.1 --crash 2,7@3',
      'gossip-sum --values 3,1,4,1,5,9 --set evaporation=0.05 --set deaf=0.2',
      'gossip-power-mean -n 20 --set p=-2 --values uniform:1:2',
    ]) {
      const report = await run(`${line} --until 15`)
      const file = join(folder, 'scenario.json')
      writeFileSync(file, JSON.stringify(report.scenario))
      expect(timeless(await run(file))).toEqual(timeless(report))
      expect((await run(`${file} --seed 99`)).cycles).not.toEqual(report.cycles)
    }
  })

  it('counts to 0.01 % in 30 cycles, and better the later half of the nodes crash', async () => {
    const line = 'gossip-count -n 20000 --until 30 --set tolerance=0.0001 --timing cycles'
    const { cycles } = await run(line)
    expect(cycles[30].within).toBe(1)
    const errors = []
    for (const cycle of [2, 10, 20]) {
      const { cycles: after, atStart } = await run(`${line} --crash 0.5@${cycle}`)
      expect(atStart).toBe(20_000)
      errors.push(after[30].massError!)
    }
    expect(errors[1]).toBeLessThan(errors[0] / 10)
    expect(errors[2]).toBeLessThan(errors[1] / 10)
  })

  it('counts again in the epoch after half of the nodes have crashed', async () => {
    const { truth, cycles } = await run(
      'gossip-count -n 500 --crash 0.5@5 --set epoch=40 --until 80 --timing cycles',
    )
    expect(truth).toBe(250)
    expect(cycles[40].within).toBeLessThan(1)
    expect(cycles[80].within).toBe(1)
  })

  // Sketches and stages are as near as theory says, which has tests of its own.
  const exact = aggregations.filter((one) => byMessages(one).computes!.aggregate.row === undefined)
  it.each(exact)('$name comes to the truth; its example runs', async ({ name, theory }) => {
    // Flows over many links take long to settle.
    const network = name === 'flow-updating' ? '-t torus:8x8' : '-n 64'
    const { cycles, verdict, rounds } = await run(
      `${name} ${network} --values uniform:1:2 --until 60 --timing cycles`,
    )
    expect(cycles.at(-1)!.within).toBe(1)
    expect(cycles).toHaveLength(1 + (rounds ?? 60))
    expect(verdict.ok).toBe(true)
    const { code, out } = await shell(...theory.example.split(' ').slice(1))
    expect(code).toBe(0)
    expect(out).toMatch(rounds === undefined ? /^ {2}20 /m : /all nodes know the rumor/)
  })

  it('says so if no live node has the 1 of a count', async () => {
    const lost = await shell(
      'run',
      ...'gossip-count -n 9 --until 3 --loss 1 --timing cycles'.split(' '),
    )
    expect(lost.code).toBe(1)
    expect(lost.out).toContain('✗ every live node has a finite estimate: 8 have none')
  })

  it('draws the convergence, with the line of theory where there is one', async () => {
    const file = join(folder, 'curve.svg')
    await shell('run', 'gossip-average', '-n', '200', '--timing', 'cycles', '--svg', file)
    const drawn = readFileSync(file, 'utf8')
    const height = (path: string) =>
      [...path.matchAll(/ ([\d.]+)(?=[L"])/g)].map(([, y]) => Number(y))
    const [, measured] = /class="measured"><path (d="[^"]*")/.exec(drawn)!
    expect(height(measured)).toHaveLength(31)
    expect(height(measured)).toEqual(height(measured).toSorted((a, b) => a - b))
    const [from, to] = height(/class="theory"><path (d="[^"]*")/.exec(drawn)![1])
    expect(from).toBe(height(measured)[0])
    expect(Math.abs(to - height(measured)[30])).toBeLessThan(20)
    for (const words of ['gossip-average on complete:200', '>cycle<', '>variance<', '0.3005'])
      expect(drawn).toContain(words)
    await shell('run', 'gossip-average', '-t', 'ring:20', '--svg', file)
    expect(readFileSync(file, 'utf8')).not.toContain('theory')
  })

  it('by messages logs what happens', async () => {
    const file = join(folder, 'trace.jsonl')
    const line = `gossip-average --values 0,8 --set exchanges=1 --until 2 --trace ${file}`
    const { messages } = await run(line)
    const [{ scenario }, ...events] = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each))
    expect(scenario.algorithm).toBe('gossip-average')
    expect(messages.total).toBe(4)
    const of = (event: string) => events.filter((each) => each.event === event)
    expect(of('send').map(({ type }) => type)).toEqual(of('receive').map(({ type }) => type))
    expect(of('timeout')).toHaveLength(2)
    const { out } = await shell('run', ...line.replace(file, '-').split(' '))
    expect(out).toContain('push')
  })

  it('is listed and explained', async () => {
    const { out } = await shell('list')
    for (const { name, theory } of aggregations) {
      expect(out).toContain(name)
      const page = await shell('explain', name)
      expect(page.out).toContain(theory.example)
      expect(page.out).toContain('tolerance')
    }
  })
})

describe('wrong input is refused in one line', () => {
  it.each([
    ['gossip-average --timing sync', '--timing'],
    ['gossip-average --ids random', '--ids'],
    ['gossip-average --delay unit --timing cycles', '--delay'],
    ['gossip-average --delay uniform:0:1', '--delay'],
    ['gossip-average --order lifo', '--order'],
    ['gossip-average --wake 9', '--wake'],
    ['gossip-average --recover 9@3', '--recover'],
    ['gossip-average --recover 1@3:id=4', '--recover'],
    ['gossip-average --detect 3', '--detect'],
    ['gossip-average --role a', '--role'],
    ['gossip-average --trace - --timing cycles', '--trace'],
    ['gossip-average --set period=0', '--set'],
    ['gossip-average --set exchanges=-1', '--set'],
    ['gossip-average --set period=3 --timing cycles', '--set'],
    ['gossip-average --set peers=newscast:3 --timing async', '--set'],
    ['gossip-average --set peers=newscast:3 --delay unit', '--delay'],
    ['gossip-average --until 1.5', '--until'],
    ['gossip-average --until 0', '--until'],
    ['gossip-average --loss 1.1', '--loss'],
    ['gossip-average --crash 8@1', '--crash'],
    ['gossip-average --crash 1@0', '--crash'],
    ['gossip-average --set order=any', '--set'],
    ['gossip-average --set epoch=1.5', '--set'],
    ['gossip-average --set evaporation=2', '--set'],
    ['gossip-average --set deaf=-0.1', '--set'],
    ['gossip-average --set instances=2', '--set'],
    ['gossip-count --set instances=0', '--set'],
    ['gossip-count --set instances=9', '--set'],
    ['gossip-power-mean --set p=0', '--set'],
    ['gossip-average -n 9 --set order=matchings --timing cycles', '--topology'],
    ['gossip-average -t ring:8 --set order=matchings --timing cycles', '--topology'],
    ['gossip-average -n 3 --values 1,2', '--values'],
    ['gossip-average --values index;9@2=1', '--values'],
    ['gossip-average --values index;1@0=1', '--values'],
    ['gossip-average --values index;1@1=x', '--values'],
    ['gossip-average --values index;drift:-1', '--values'],
    ['gossip-average --values index;drift:1;drift:2', '--values'],
    ['gossip-average --values index;', '--values'],
    ['gossip-geometric-mean --values index', '--values'],
    ['gossip-averag', 'algorithm'],
    ['lcr --timing cycles', '--timing'],
    ['lcr --values 1,2;0@1=2', '--values'],
  ])('%s', async (line, where) => {
    const { code, out, err } = await shell('run', ...line.split(' '))
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(err.startsWith(`${where}: `)).toBe(true)
    expect(err).toMatch(/: .+\. /)
  })

  it('where an election is asked for', async () => {
    const { code, err } = await shell('run', 'lcr', '--role', 'a=gossip-average')
    expect(code).toBe(2)
    expect(err).toContain('gossip-average is an aggregation')
  })
})
