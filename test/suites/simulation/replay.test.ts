import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { campaign } from '../../support/campaign.ts'
import { crashes, networkFaults, recoveries } from '../../support/random-faults.ts'
import { shell } from '../../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string) => join(folder, name)
const text = (name: string) => readFileSync(file(name), 'utf8')
const words = (line: string) => line.split(' ')

/** What is left of a report once the time it took is left out. */
const timeless = (out: string) => out.replaceAll(/"speed":\{[^}]*\}/g, '')

/** Fails unless the trace in `a` gives itself again; says how the run ended. */
async function roundTrip(...names: string[]): Promise<number> {
  const { code, err } = await shell('run', ...names, '--replay', file('a'), '--trace', file('b'))
  expect([err, text('b')]).toEqual(['', text('a')])
  return code
}

/** The usage error about a file, which must be all that is said. */
async function usageErrorOf(content: string, ...more: string[]): Promise<string> {
  writeFileSync(file('bad'), content)
  const { code, out, err } = await shell('run', '--replay', file('bad'), ...more)
  expect([code, out, err.trim().split('\n').length]).toEqual([2, '', 1])
  return err.replaceAll(file('bad'), 'bad')
}

describe('a trace of run', () => {
  it('is replayed byte for byte with every kind of fault', async () => {
    const world = fc.oneof(crashes, recoveries, networkFaults)
    const algorithm = fc.constantFrom('bully', 'wireless', 'echo-extinction')
    const noise = fc.constantFrom({}, { loss: 0.2 }, { duplicate: 0.3, loss: 0.1 })
    await fc.assert(
      fc.asyncProperty(world, algorithm, noise, async (world, algorithm, noise) => {
        const { longest: _, shortest: __, ...given } = world as Record<string, unknown>
        const topology = `complete:${world.ids.length}`
        const limits = { 'max-messages': 3000, 'allow-weaker': true }
        const document = { algorithm, topology, ...given, ...noise, ...limits }
        writeFileSync(file('world.json'), JSON.stringify(document))
        const first = await shell('run', file('world.json'), '--trace', file('a'))
        expect(first.err).toBe('')
        expect(await roundTrip()).toBe(first.code)
      }),
      { numRuns: campaign(400) },
    )
  })

  it.each([
    'lcr -n 5 --timing sync',
    'lcr -n 4 --ids same',
    'itai-rodeh -n 5 --delay exponential:2',
    'ghs -t grid:2x3',
    'bully -n 4 --wake all --tamper drop:2@0.5,arrive:3@9',
    'lcr -n 5 --role monitor --role printer=peterson',
    'lcr -n 4 --values 3,1,4,1 --elect-by value:min',
    'gossip-average -n 6 --timing async --until 3',
    'tree-aggregate -t tree:5:2 --values 3,1,4,1,5',
  ])('is replayed: %s', async (line) => {
    const first = await shell('run', ...words(line), '--json', '--trace', file('a'))
    expect(await roundTrip()).toBe(first.code)
    const again = await shell('run', '--replay', file('a'), '--json')
    expect(timeless(again.out)).toBe(timeless(first.out))
  })

  it('is rejected at the first line that differs', async () => {
    await shell(...words(`run lcr -n 5 --delay uniform:1:4 --trace ${file('a')}`))
    const lines = text('a').trimEnd().split('\n')
    const line = fc.integer({ min: 1, max: lines.length - 1 })
    await fc.assert(
      fc.asyncProperty(line, async (i) => {
        const event = JSON.parse(lines[i])
        const moved = lines.with(i, JSON.stringify({ ...event, node: (event.node + 1) % 5 }))
        expect(await usageErrorOf(moved.join('\n'))).toContain(`bad, line ${i + 1}: `)
        const cut = await usageErrorOf(`${lines.slice(0, i).join('\n')}\n`)
        expect(cut).toMatch(new RegExp(`^bad, line ${i + 1}: .*, but the file ends before it`))
        const torn = await usageErrorOf(`${lines.slice(0, i).join('\n')}\n${lines[i].slice(0, -4)}`)
        expect(torn).toContain(`bad, line ${i + 1}: expected a JSON object`)
      }),
      { numRuns: 12 },
    )
    const longer = await usageErrorOf([...lines, lines[lines.length - 1]].join('\n'))
    expect(longer).toContain(`bad, line ${lines.length + 1}: the run ends here`)
  })

  it('may have other spaces and line ends', async () => {
    await shell(...words(`run lcr -n 3 --trace ${file('a')}`))
    const spaced = text('a').replaceAll(',"', ', "').replaceAll('\n', '\r\n')
    writeFileSync(file('spaced'), spaced)
    expect((await shell('run', '--replay', file('spaced'))).code).toBe(0)
  })
})

describe('a trace of check', () => {
  it.each([
    ['lcr -n 3 --ids same', 1],
    ['peterson --ids 3,2,1 --order any --allow-weaker', 1],
    ['bully --ids 0,1,2 --mode clocked:1 --crash 0 --recoveries 1 --reappear', 1],
    ['lcr --ids 1,2,3 --crashes 1 --detect off', 1],
    ['lcr --ids 50,60,70 --values 3,1,2 --losses 1', 1],
    ['wireless -t path:3 --ids random --order fifo --cuts 1 --states 2000', 0],
    // The search is cut short, but this run is not.
    ['itai-rodeh -n 2 --states 500', 3, 0],
    ['gossip-average-naive --values 0,4,8', 1],
    ['time-slice --ids 2,1,3', 0],
    ['peterson -n 3 --crashes 2', 0],
  ])('is replayed with its diagram: %s', async (line, code, again = code) => {
    const files = ['--trace', file('a'), '--svg', file('a.svg')]
    expect((await shell('check', ...words(line), ...files)).code).toBe(code)
    expect(await roundTrip()).toBe(again)
    await shell('run', '--replay', file('a'), '--svg', file('b.svg'))
    expect(text('b.svg')).toBe(text('a.svg'))
  })

  it('reports steps and verdicts like check', async () => {
    const line = `check lcr -n 3 --ids same --trace ${file('a')}`
    const found = JSON.parse((await shell(...words(line), '--json')).out)
    const { code, out } = await shell('run', '--replay', file('a'), '--json')
    const again = JSON.parse(out)
    expect(code).toBe(1)
    expect(again).toMatchObject({ mode: 'untimed', order: 'any', wake: 'any' })
    // One run does not show that none is shorter.
    const { shortest, ids, ...told } = found.violated
    expect([shortest, ids]).toEqual([true, [1, 1, 1]])
    expect(again.violated).toEqual(told)
    expect(again.properties[0]).toMatchObject({ name: 'at most one leader', holds: false })
    const report = (await shell('run', '--replay', file('a'))).out
    expect(report).toMatch(/^Violated again: at most one leader\n/)
    const unwrapped = report.replace(/\s+/g, ' ')
    for (const { text } of found.violated.trace) expect(unwrapped).toContain(text)
  })

  it('is rejected at the first move or event that differs', async () => {
    await shell(...words(`check peterson -n 3 --trace ${file('a')}`))
    const [head, ...events] = text('a').trimEnd().split('\n')
    const { check, ...rest } = JSON.parse(head)
    const moves = check.moves as { event: string }[]
    for (const i of moves.keys()) {
      const changed = { ...check, moves: moves.with(i, { event: 'crash', node: 0 } as never) }
      const told = await usageErrorOf(
        [JSON.stringify({ ...rest, check: changed }), ...events].join('\n'),
      )
      expect(told).toContain(`bad: move ${i + 1}: {"event":"crash","node":0} is not enabled`)
    }
    for (const i of events.keys()) {
      const event = { ...JSON.parse(events[i]), at: 77 }
      const told = await usageErrorOf([head, ...events.with(i, JSON.stringify(event))].join('\n'))
      expect(told).toContain(`bad, line ${i + 2}: `)
    }
  })

  it('that names another algorithm is rejected', async () => {
    await shell(...words(`check lcr -n 2 --trace ${file('a')}`))
    const stranger = text('a').replace('"algorithm":"lcr"', '"algorithm":"chang-roberts"')
    expect(await usageErrorOf(stranger.replace('"id":1', '"id":2'))).toMatch(/^bad(, line|: move)/)
  })
})

describe('a file that is not a trace', () => {
  const scenario = { algorithm: 'lcr', topology: 'ring:2' }
  const head = (more: object) => JSON.stringify({ event: 'scenario', scenario, ...more })
  const rules = { mode: 'untimed', order: 'fifo', wake: 'any', moves: [] }

  it.each([
    ['', 'bad: the file is not a trace'],
    ['\n\n', 'bad: the file is not a trace'],
    ['lcr', 'bad, line 1: expected a JSON object'],
    ['[]', 'bad, line 1: expected a JSON object'],
    ['{}', 'no scenario in its first line'],
    ['{"event":"scenario","scenario":3}', 'no scenario in its first line'],
    ['{"event":"scenario","scenario":{}}', 'without an algorithm'],
    [
      '{"event":"scenario","scenario":{"algorithm":"lrc"}}',
      'bad: algorithm: there is no algorithm',
    ],
    [head({ scenario: { ...scenario, ids: '1,1' } }), 'bad: ids'],
    [head({ scenario: { ...scenario, colour: 'red' } }), 'bad: colour'],
    [`${head({})}\n{"event":"wake"}`, 'bad, line 2: expected an event with at and node'],
    [`${head({})}\n\n`, 'bad, line 2: expected a JSON object'],
    [head({ check: 5 }), 'is not an object'],
    [head({ check: { ...rules, moves: undefined } }), 'no list of moves'],
    [head({ check: { ...rules, moves: [7] } }), 'no list of moves'],
    [head({ check: { ...rules, property: 7 } }), 'is not a name'],
    [head({ check: { ...rules, mode: 'clocked:0' } }), 'bad, line 1: mode'],
    [head({ check: { ...rules, order: 'none' } }), 'bad, line 1: order'],
    [head({ check: { ...rules, wake: 'all' } }), 'bad, line 1: wake'],
    [head({ check: { ...rules, wake: [0, 9] } }), 'positions from 0 to 1'],
    [head({ check: { ...rules, faults: 1 } }), 'bad, line 1: faults'],
    [head({ check: { ...rules, faults: { crash: 1 } } }), 'bad, line 1: faults'],
    [head({ check: { ...rules, faults: { crashes: -1 } } }), 'bad, line 1: faults'],
    [head({ check: { ...rules, faults: { dead: [0, 1] } } }), 'at least one node'],
  ])('is rejected in one line: %s', async (content, said) => {
    expect(await usageErrorOf(content)).toContain(said)
  })

  it('may be missing, and a trace cannot be combined with other input', async () => {
    const refused = async (...line: string[]) => {
      const { code, out, err } = await shell('run', ...line)
      expect([code, out]).toEqual([2, ''])
      return err
    }
    expect(await refused('--replay', file('nowhere'))).toContain('does not exist')
    expect(await refused('--replay', folder)).toContain('is a folder')
    await shell(...words(`run lcr -n 3 --trace ${file('a')}`))
    expect(await refused('--replay', file('a'), '-n', '4')).toContain('its own scenario')
    expect(await refused('peterson', '--replay', file('a'))).toContain('the trace is of "lcr"')
    expect(await refused('lcr', 'lcr', '--replay', file('a'))).toContain('one algorithm')
  })
})
