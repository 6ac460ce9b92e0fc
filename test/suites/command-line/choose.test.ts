import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/cli/check/explore.ts'
import { main } from '../../../src/cli/main.ts'
import { expectUsageError, shell, shellJson } from '../../support/run-command.ts'

interface Cost {
  readonly measured: number | null
  readonly worst: number | null
  readonly formula: string | null
}

interface Choice {
  readonly world: Readonly<Record<string, unknown>>
  readonly proposal: { readonly measured: string | null; readonly guaranteed: string | null }
  readonly fits: readonly {
    readonly name: string
    readonly messages: Cost
    readonly time: Cost
    readonly bits: Cost
    readonly command: string
  }[]
  readonly unfit: readonly { readonly name: string; readonly reasons: string[] }[]
}

const chosen = (line: string) => shellJson<Choice>('choose', ...line.split(' '))
const names = ({ fits }: Choice) => fits.map(({ name }) => name)
const whyNot = ({ unfit }: Choice, name: string) =>
  unfit.find((one) => one.name === name)?.reasons.join('; ')

/** A cost in messages; what is unknown is no candidate. */
const costs = (of: 'measured' | 'worst') => (one: Choice['fits'][number]) =>
  one.messages[of] ?? Number.POSITIVE_INFINITY

describe('choose', () => {
  it('proposes what is cheapest in simulations, and what is cheapest for sure', async () => {
    const choice = await chosen('-t ring:64')
    const least = (of: 'measured' | 'worst') => Math.min(...choice.fits.map(costs(of)))
    const named = (name: string | null) => choice.fits.find((one) => one.name === name)!
    expect(costs('measured')(named(choice.proposal.measured))).toBe(least('measured'))
    expect(costs('worst')(named(choice.proposal.guaranteed))).toBe(least('worst'))
    const peterson = choice.fits.find(({ name }) => name === 'peterson')!
    expect(peterson.messages.worst).toBe(2 * 64 * 6 + 64)
    const runs = await Promise.all([1, 2, 3, 4, 5].map(runOfPeterson))
    const mean = runs.reduce((sum, sent) => sum + sent, 0) / runs.length
    expect(peterson.messages.measured).toBeCloseTo(mean)
  })

  it('sorts by what is to be saved', async () => {
    for (const save of ['messages', 'time', 'bits'] as const) {
      const { fits } = await chosen(`-t complete:9 --knows n,direction --save ${save}`)
      const measured = fits.map((one) => one[save].measured!)
      expect(measured).toEqual(measured.toSorted((a, b) => a - b))
    }
  })

  it('no run takes more than what is said to be the most', async () => {
    for (const world of [
      'random:20:0.3',
      'ring:12 --timing sync --knows n',
      'complete:8 --timing bounded --knows all',
    ])
      for (const { messages, time } of (await chosen(`-t ${world}`)).fits)
        for (const { measured, worst } of [messages, time])
          if (measured !== null && worst !== null) expect(measured).toBeLessThanOrEqual(worst)
  })

  it('says why an algorithm does not fit', async () => {
    const ring = await chosen('-t ring:6')
    expect(whyNot(ring, 'bully')).toMatch(/^needs a complete network, not ring:6; needs a bound/)
    expect(whyNot(ring, 'slow-fast')).toBe('needs synchronous rounds')
    expect(whyNot(ring, 'itai-rodeh')).toBe('needs: n known')
    expect(whyNot(await chosen('-t ring:6 --order any'), 'peterson')).toBe('needs FIFO links')
    const opaque = await chosen('-t ring:6 --timing sync --knows n --ids unique --wake any')
    expect(whyNot(opaque, 'time-slice')).toBe('computes with ids; needs a common start')
    expect(whyNot(opaque, 'lcr')).toBeUndefined()
  })

  it('needs ids or random choices: an anonymous ring without n has no algorithm', async () => {
    expect(names(await chosen('-t ring:6 --anonymous --knows n'))).toContain('itai-rodeh')
    expect(names(await chosen('-t ring:6 --anonymous'))).not.toContain('itai-rodeh')
    const anonymous = await chosen('-t ring:6 --ids none')
    expect(whyNot(anonymous, 'lcr')).toBe('needs ids')
  })

  it('takes those that survive crashes, with the detector that they need', async () => {
    const world = '-t complete:5 --timing bounded --crashes --knows n,peers,direction'
    const told = await chosen(`${world},detector`)
    expect(names(told)).toEqual(expect.arrayContaining(['bully', 'ring-list']))
    expect(whyNot(told, 'singh')).toBe('does not elect again after a crash')
    expect(whyNot(await chosen(world), 'bully')).toBe('needs: failure detector')
    const ring = await chosen('-t ring:5 --crashes')
    expect(whyNot(ring, 'lcr')).toContain('only if a failure detector reports it')
    expect(names(await chosen('-t ring:5 --crashes --knows liveness'))).toContain('lcr')
  })

  it('measures crashes where nodes may crash: the leader dies once it is elected', async () => {
    const world = '-t ring:7 --knows liveness'
    const [calm, crashing] = [await chosen(world), await chosen(`${world} --crashes`)]
    const costOf = ({ fits }: Choice, name: string) => fits.find((one) => one.name === name)!
    for (const name of ['lcr', 'peterson']) {
      const [before, after] = [costOf(calm, name), costOf(crashing, name)]
      // The second election has a node less, and another leader.
      expect(after.messages.measured!).toBeGreaterThan(1.5 * before.messages.measured!)
      expect(after.time.measured!).toBeGreaterThan(before.time.measured!)
      // Nothing is proven there.
      expect(after.messages.worst).toBeNull()
      const [, , , ...words] = after.command.split(' ')
      const { leaders, messages } = await shellJson<{
        leaders: number[]
        messages: { total: number }
      }>('run', name, ...words)
      expect(leaders.length).toBe(2)
      expect(messages.total).toBeGreaterThan(before.messages.measured!)
    }
    const averages = await chosen('-t complete:30 --compute average --crashes')
    expect(names(averages)).toEqual(['gossip-average'])
    expect(averages.fits[0].command).toContain('--crash 0@3 --set epoch=30')
    expect(whyNot(averages, 'push-sum')).toContain('not within 1 %')
  })

  it('takes only those that repeat themselves where messages are lost', async () => {
    const lossy = await chosen('-t complete:5 --timing clocks --knows all --loss 0.1')
    expect(names(lossy)).toContain('quorum-lease')
    expect(whyNot(lossy, 'echo-extinction')).toContain('a lost message')
  })

  it('computes bounds only where a network is too large to simulate', async () => {
    const { fits, proposal } = await chosen('-t ring:100000')
    for (const { messages } of fits) expect(messages.measured).toBeNull()
    expect(proposal.measured).toBeNull()
    expect(names({ fits } as Choice)).toContain(proposal.guaranteed)
  })

  it('proposes aggregations by what they compute', async () => {
    const averages = await chosen('-t complete:30 --compute average')
    expect(names(averages)).toEqual(expect.arrayContaining(['gossip-average', 'tree-aggregate']))
    for (const [what, name] of [
      ['max', 'gossip-max'],
      ['count', 'gossip-count'],
      ['sum', 'gossip-sum'],
    ])
      expect(names(await chosen(`-t complete:30 --compute ${what}`))).toContain(name)
    expect(names(await chosen('-t complete:30 --compute max'))).not.toContain('gossip-min')
  })

  it('prints a table, the proposal and the reasons in 80 columns', async () => {
    const { code, out, err } = await shell('choose', '-t', 'ring:16', '--knows', 'all')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^ {2}algorithm +messages +at most +time +at most +bits$/m)
    expect(out).toMatch(/^ {2}Fewest messages guaranteed: .*=/m)
    expect(out).toContain('What does not fit, and why')
    expect(out).toMatch(/^Try: conclave run .* --topology ring:16/m)
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('names a size apart from the network', async () => {
    expect((await chosen('-t ring -n 12')).world).toEqual((await chosen('-t ring:12')).world)
  })

  it.each([
    ['', '--topology', 'there is no terminal to ask at'],
    ['-t ring', '--topology', 'ring is written as ring:n'],
    ['-t rnig:8', '--topology', 'Did you mean ring:8?'],
    ['-t ring:8 -n 8', '-n', 'ring:8 has its size already.'],
    ['-t grid -n 8', '-n', 'the size of grid is not one number.'],
    ['-t ring -n 0', '-n', '1'],
    ['-t ring:8 --save mesages', '--save', 'Did you mean messages?'],
    ['-t ring:8 --timing slow', '--timing', 'must be async, clocks, bounded, sync or pairs'],
    ['-t ring:8 --knows m', '--knows', 'must be n, '],
    ['-t ring:8 --loss 1', '--loss', 'a probability below 1'],
    ['-t ring:8 --anonymous --ids unique', '--anonymous', 'contradicts --ids unique.'],
    ['-t ring:8 --compute mode', '--compute', 'must be leader, '],
    ['-t ring:8 --seed x', '--seed', 'a whole number'],
  ])('refuses: choose %s', (line, where, says) =>
    expectUsageError(['choose', ...line.split(' ').filter(Boolean)], where, says),
  )
})

async function runOfPeterson(seed: number): Promise<number> {
  const { messages } = await shellJson<{ messages: { byType: Record<string, number> } }>(
    ...['run', 'peterson', '-n', '64', '--seed', String(seed)],
  )
  return messages.byType.election
}

/** Answers questions as a terminal does: key by key. */
async function answered(answers: readonly string[], line = 'choose') {
  let out = ''
  const keys = answers.flatMap((answer) => [...answer])
  const io = {
    ...SILENT,
    out: (text: string) => {
      out += text
    },
    async *keys() {
      yield* keys
    },
  }
  return { code: await main(line.split(' '), io), out }
}

const DEFAULTS = Array<string>(8).fill('\r')

describe('choose in a terminal', () => {
  it('asks one thing after the other, and Enter takes what is in brackets', async () => {
    const { code, out } = await answered(DEFAULTS)
    expect(code).toBe(0)
    expect(out.match(/\? \[/g)).toHaveLength(DEFAULTS.length)
    const { out: plain } = await shell('choose', '-t', 'ring:8')
    expect(out.endsWith(plain)).toBe(true)
  })

  it('takes answers that are typed, also with corrections', async () => {
    const { out } = await answered([
      ...['\r', 'ring:1x\x7f2\r', 'sync\r', '\r', 'n\r', 'yes\r', '\r', 'time\r'],
    ])
    const flags = '-t ring:12 --timing sync --knows n --crashes --save time'
    expect(out.endsWith((await shell('choose', ...flags.split(' '))).out)).toBe(true)
  })

  it('asks again where an answer is wrong', async () => {
    const { code, out } = await answered(['\r', 'rnig:8\r', ...DEFAULTS.slice(1)])
    expect(code).toBe(0)
    expect(out).toContain('Did you mean ring:8?')
    expect(out.match(/Which network/g)).toHaveLength(2)
  })

  it('asks only what flags do not say', async () => {
    const { out } = await answered(
      ['\r'.repeat(5)],
      'choose --compute leader --anonymous --crashes',
    )
    expect(out.match(/\? \[/g)).toHaveLength(5)
    expect(out).not.toContain('Which ids')
  })

  it('asks nothing with a network, or with --json', async () => {
    expect((await answered([], 'choose -t ring:4')).out).not.toContain('? [')
    expect((await answered([], 'choose --json')).code).toBe(2)
  })

  it('ends with Ctrl-D, and is interrupted by Ctrl-C', async () => {
    expect((await answered(['\r', '\x04'])).code).toBe(0)
    expect((await answered(['\r', '\x03'])).code).toBe(130)
  })
})
