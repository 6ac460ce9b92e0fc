import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { builtShell } from '../../support/run-command.ts'

const scratch = mkdtempSync(join(tmpdir(), 'conclave-files-'))
afterAll(() => rmSync(scratch, { recursive: true }))

function saved(name: string, text: string): string {
  const path = join(scratch, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** Four nodes in a square with a diagonal, as SNAP writes them: 5 links. */
const SQUARE = '# FromNodeId\tToNodeId\n1\t2\n2\t3\n3\t4\n4\t1\n1\t3\n3\t1\n'

describe('an experiment on a network from a file', () => {
  const net = saved('nets/square.txt', SQUARE)
  const sweep = ['--sweep', 'seed=1..4', '--measure', 'links', '--measure', 'messages', '--json']

  it('measures it, in one thread and in two', async () => {
    const words = ['experiment', 'wireless', '-t', `file:${net}`, ...sweep]
    const one = await builtShell(...words, '--workers', '1')
    expect(one.code).toBe(0)
    expect(one.err).toContain('1 repeated or opposite link merged')
    const two = await builtShell(...words, '--workers', '2')
    expect(two.out).toBe(one.out)
    const { points } = JSON.parse(one.out)
    // One source: ELECTION and ACK cost 2E - (N - 1) each, LEADER N - 1.
    for (const { measures } of points)
      expect([measures.links.mean, measures.messages.mean]).toEqual([5, 2 * (10 - 3) + 3])
  })

  it('finds the file beside the document that names it', async () => {
    const base = { algorithm: 'wireless', topology: 'file:square.txt', delay: 'file:pings.txt' }
    saved('nets/pings.txt', '3\n')
    const document = saved('nets/study.json', JSON.stringify({ base, measures: ['time'] }))
    const { code, out } = await builtShell('experiment', document, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out).points[0].measures.time.mean % 3).toBe(0)
  })

  it('refuses a mistake with its line before anything runs', async () => {
    const broken = saved('broken.txt', '0 1\n1 2\n2\n')
    const { code, err } = await builtShell(
      'experiment',
      'wireless',
      '-t',
      `file:${broken}`,
      ...sweep,
    )
    expect(code).toBe(2)
    expect(err).toMatch(/line 3 of .*broken\.txt has one column/)
  })
})

describe('measures of a document', () => {
  const source = `
    import type { RunResult } from 'conclave/engines'
    export default {
      base: { algorithm: 'lcr', ids: 'increasing' },
      sweep: { n: '2..9' },
      repeat: 2,
      measures: ['messages'],
      ownMeasures: {
        perLink: ({ messages, links }: RunResult) => messages.total / links,
        atLeader: ({ nodes = [], leader }: RunResult) =>
          leader === null ? null : nodes[leader.node].received,
      },
      fits: ['perLink ~ n'],
    }`
  const document = saved('own.ts', source)

  it('are read from the result of every run, by every thread', async () => {
    const csv = async (...more: string[]) => {
      const out = join(scratch, more.join(''))
      const { code } = await builtShell('experiment', document, '--out', out, ...more)
      expect(code).toBe(0)
      return readFileSync(join(out, 'results.csv'), 'utf8')
    }
    const one = await csv('--workers', '1')
    expect(await csv('--workers', '2')).toBe(one)
    const [head, ...lines] = one
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','))
    const column = (name: string, line: string[]) => Number(line[head.indexOf(name)])
    expect(lines).toHaveLength(16)
    for (const line of lines) {
      const n = column('n', line)
      // The best ring: 2n - 1 messages elect, and n announce.
      expect(column('messages', line)).toBe(3 * n - 1)
      expect(column('perLink', line)).toBeCloseTo((3 * n - 1) / n, 12)
      // The leader hears its neighbour, itself and its own announcement.
      expect(column('atLeader', line)).toBe(3)
    }
  })

  it('see the nodes of an aggregation, too', async () => {
    const text = `import type { CycleResult } from 'conclave/engines'
    export default {
      base: { algorithm: 'push-sum', timing: 'cycles', until: '3' },
      sweep: { n: [3, 8] },
      ownMeasures: {
        weight: ({ nodes = [] }: CycleResult) =>
          nodes.reduce((sum, { state }) => sum + state!.w, 0),
      },
      measures: ['weight'],
    }`
    const out = join(scratch, 'seen')
    const { code } = await builtShell('experiment', saved('seen.ts', text), '--out', out)
    expect(code).toBe(0)
    const csv = readFileSync(join(out, 'results.csv'), 'utf8')
    const [head, ...lines] = csv.split('\n').map((line) => line.split(','))
    const weights = lines.map((line) => line[head.indexOf('weight')])
    // Weights are given away, but never lost.
    expect(weights.slice(0, 2).map(Number)).toEqual([3, 8])
  })

  it('are refused with a sentence if they are no functions, or return nonsense', async () => {
    const run = async (text: string) => {
      const { code, err } = await builtShell('experiment', saved(`bad${text.length}.ts`, text))
      return [code, err]
    }
    const [code, err] = await run(
      source.replace('({ messages, links }: RunResult) => messages.total / links', '7'),
    )
    expect([code, err]).toEqual([2, expect.stringContaining('perLink is not a function but 7')])
    const [second, words] = await run(source.replace('messages.total / links', "'many'"))
    expect([second, words]).toEqual([2, expect.stringContaining('perLink returned "many"')])
    const [third, taken] = await run(source.replaceAll('perLink', 'bits'))
    expect([third, taken]).toEqual([2, expect.stringContaining('there is a measure bits already')])
  })
})

describe('results of an experiment', () => {
  const flags = ['experiment', 'lcr', '--sweep', 'algorithm=lcr,peterson', '--sweep', 'n=4,8,16']

  it('are a table of two fields', async () => {
    const { out, code } = await builtShell(
      ...flags,
      '--measure',
      'cost',
      '--table',
      'n x algorithm',
    )
    expect(code).toBe(0)
    expect(out).toMatch(/^lcr, peterson by n/)
    expect(out).toMatch(/\n {2}n +lcr +peterson\n {2}4 +\d+ +\d+\n {2}8 +/)
  })

  it('have figures of any size, without words around them, and as PDF', async () => {
    const out = join(scratch, 'figures')
    const more = ['--measure', 'cost', '--out', out, '--plain', '--size', '640x400', '--pdf']
    expect((await builtShell(...flags, ...more)).code).toBe(0)
    const svg = readFileSync(join(out, 'figures/cost.svg'), 'utf8')
    expect(svg).toMatch(/width="640" height="400"/)
    expect(svg).not.toContain('>conclave')
    const pdf = readFileSync(join(out, 'figures/cost.pdf'), 'latin1')
    expect(pdf).toMatch(/^%PDF-1\.4\n/)
    expect(pdf).toContain('/MediaBox [0 0 480 300]')
    expect(pdf).toMatch(/\/FontName \/\w+\+DejaVuSans\b/)
  })

  it('are refused where they have no place', async () => {
    const { code, err } = await builtShell(...flags, '--pdf')
    expect([code, err]).toEqual([2, expect.stringContaining('--pdf: figures need a folder')])
    const small = await builtShell(...flags, '--out', join(scratch, 'none'), '--size', '3x4')
    expect([small.code, small.err]).toEqual([2, expect.stringContaining('--size: expected')])
  })
})

describe('the picture of a network', () => {
  const draw = async (...words: string[]) => {
    const path = join(scratch, `${words.join('-').replace(/\W/g, '')}.svg`)
    const { code, err } = await builtShell('run', ...words, '--svg', `network:${path}`)
    expect(err).toBe('')
    return { code, svg: readFileSync(path, 'utf8') }
  }

  it('shows the tree, the weights and the leader at the end, and less before', async () => {
    const flags = ['ghs', '-t', 'grid:2x3', '--weights', '5,1,4,2,7,3,6']
    const { svg } = await draw(...flags)
    expect(svg).toContain('tree of 5 edges, weight 16')
    for (const weight of [1, 2, 3, 4, 5, 6, 7]) expect(svg).toContain(`>${weight}</text>`)
    const early = await draw(...flags, '--at', '0')
    expect(early.svg).toContain('at time 0, no leader')
    expect(early.svg).not.toContain('tree of 5')
  })

  it('shows the estimates of a gossip', async () => {
    const flags = ['gossip-average', '-n', '4', '--values', '1,2,3,6', '--timing', 'cycles']
    const { svg } = await draw(...flags, '--at', '2')
    expect(svg).toContain('after 2 cycles, truth 3')
    for (const value of [1, 2, 3, 6]) expect(svg).toContain(`>${value}</text>`)
    const { out } = await builtShell('run', ...flags, '--until', '2', '--nodes', '--json')
    const estimates = JSON.parse(out).nodes.map(({ estimate }: { estimate: number }) => estimate)
    for (const estimate of estimates) expect(svg).toContain(`>${Number(estimate.toPrecision(3))}<`)
  })

  it('shows how a counterexample ends', async () => {
    const path = join(scratch, 'counterexample.svg')
    const flags = ['--ids', '1,2,3', '--crashes', '1', '--detect', 'off']
    const { code } = await builtShell('check', 'lcr', ...flags, '--svg', `network:${path}`)
    expect(code).toBe(1)
    const svg = readFileSync(path, 'utf8')
    expect(svg).toContain('&quot;all live nodes follow the largest&quot; is violated')
    for (const word of ['undecided', 'asleep', 'crashed']) expect(svg).toContain(`>${word}</text>`)
  })

  it('is refused where it would show nothing', async () => {
    const many = await builtShell(
      'run',
      'lcr',
      '-n',
      '1001',
      '--svg',
      `network:${scratch}/many.svg`,
    )
    expect([many.code, many.err]).toEqual([2, expect.stringContaining('at most 1,000 nodes')])
    const moment = await builtShell('run', 'lcr', '-n', '3', '--at', '2')
    expect([moment.code, moment.err]).toEqual([2, expect.stringContaining('--at: ')])
  })
})
