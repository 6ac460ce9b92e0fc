import { describe, expect, it } from 'vitest'
import { CrashingDisk } from '../../../test/support/crashing-disk.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { Journal } from './journal.ts'
import { crc32c, recordsIn } from './records.ts'

const IDENTITY = { cluster: 'billing', member: 'a' }
/** So small that the workload compacts several times. */
const OPTIONS = { small: 120 }

type Files = ReadonlyMap<string, Uint8Array>
const bytes = (...values: number[]) => Uint8Array.from(values)
const contents = (journal: Journal) =>
  Object.fromEntries([...journal.entries()].map(([key, value]) => [key, [...value]]))

/** Writes in turn, and tells each state before it is begun and when it is acknowledged. */
async function workload(
  disk: CrashingDisk,
  told: (what: 'begun' | 'acknowledged', state: Record<string, number[]>) => void,
): Promise<void> {
  const state: Record<string, number[]> = {}
  const journal = await Journal.open(disk, IDENTITY, OPTIONS)
  for (let i = 0; i < 8; i++) {
    const changes: Record<string, number[]> =
      i % 3 === 2 ? { config: [i], 'role/x': [i, i] } : { [`role/${i % 2}`]: [i, 7, 7] }
    Object.assign(state, changes)
    told('begun', { ...state })
    const entries = Object.entries(changes).map(([key, value]) => [key, bytes(...value)] as const)
    await journal.putAll(new Map(entries))
    told('acknowledged', { ...state })
  }
}

/** The disk after a crash at a step, and the states that may be found on it. */
async function crashed(step: number) {
  const disk = new CrashingDisk(new Map(), step)
  let begun: Record<string, number[]> = {}
  let acknowledged: Record<string, number[]> = {}
  await workload(disk, (what, state) => {
    if (what === 'begun') begun = state
    else acknowledged = state
  }).catch(() => {})
  return { disk, allowed: [acknowledged, begun] }
}

async function stepsOfWorkload(): Promise<number> {
  const disk = new CrashingDisk()
  await workload(disk, () => {})
  return disk.steps
}

const bodiesOf = (files: Files) => recordsIn(files.get('journal') ?? bytes()).bodies.length

describe('a journal after a crash', () => {
  it('holds what was acknowledged, at every step and whatever bytes are torn', async () => {
    const steps = await stepsOfWorkload()
    let worlds = 0
    let shortest = Number.POSITIVE_INFINITY
    for (let step = 0; step < steps; step++) {
      const { disk, allowed } = await crashed(step)
      for (const files of disk.afterCrash()) {
        worlds++
        shortest = Math.min(shortest, bodiesOf(files))
        const journal = await Journal.open(new CrashingDisk(files), IDENTITY, OPTIONS)
        expect(journal.problem).toBe(null)
        expect(allowed).toContainEqual(contents(journal))
      }
    }
    expect(worlds).toBeGreaterThan(500)
    expect(shortest).toBe(0)
  })

  it('can be written and opened again, also when opening it crashed', async () => {
    const steps = await stepsOfWorkload()
    for (let step = 0; step < steps; step += 3) {
      const { disk, allowed } = await crashed(step)
      for (const files of disk.afterCrash()) {
        for (let second = 0; second < 4; second++) {
          const again = new CrashingDisk(files, second)
          await Journal.open(again, IDENTITY, OPTIONS)
          for (const left of again.afterCrash()) {
            const third = new CrashingDisk(left)
            const journal = await Journal.open(third, IDENTITY, OPTIONS)
            expect(allowed).toContainEqual(contents(journal))
            await journal.put('boot', bytes(1))
            const reopened = await Journal.open(third, IDENTITY, OPTIONS)
            expect(contents(reopened)).toEqual({ ...contents(journal), boot: [1] })
          }
        }
      }
    }
  })

  it('stays short: only what it holds is kept', async () => {
    const disk = new CrashingDisk()
    const journal = await Journal.open(disk, IDENTITY, OPTIONS)
    for (let i = 0; i < 200; i++) await journal.put('role/x', bytes(i, i, i))
    expect((await disk.read('journal'))!.length).toBeLessThan(200)
    expect(contents(await Journal.open(disk, IDENTITY))).toEqual({ 'role/x': [199, 199, 199] })
  })
})

describe('a journal that cannot be trusted', () => {
  async function written(): Promise<Uint8Array> {
    const disk = new CrashingDisk()
    const journal = await Journal.open(disk, IDENTITY)
    for (const key of ['config', 'role/x', 'role/y']) await journal.put(key, bytes(1, 2, 3))
    return (await disk.read('journal'))!
  }

  async function expectRefused(files: Files, why: string, identity = IDENTITY) {
    const reports: (string | null)[] = []
    const disk = new CrashingDisk(files)
    const report = (line: string | null) => reports.push(line)
    const journal = await Journal.open(disk, identity, { report })
    expect(journal.healthy).toBe(false)
    expect(journal.problem).toContain(why)
    expect(journal.foreign).toBe(identity !== IDENTITY)
    expect(reports).toEqual(journal.foreign ? [] : [journal.problem])
    await expect(journal.put('role/x', bytes(9))).rejects.toThrow(why)
    expect(await disk.read('journal')).toEqual(files.get('journal'))
  }

  it('has a wrong bit before its last record', async () => {
    const good = await written()
    const lastRecord = recordsIn(good).end - 8 - recordsIn(good).bodies.at(-1)!.length
    for (let bit = 0; bit < 8 * lastRecord; bit++) {
      const bad = good.slice()
      bad[bit >> 3] ^= 1 << (bit & 7)
      await expectRefused(new Map([['journal', bad]]), 'is damaged, and others follow it')
    }
  })

  it('is no journal, is empty, or is another member’s', async () => {
    await expectRefused(new Map([['journal', bytes()]]), 'is not a journal')
    const text = new TextEncoder().encode('role: cron\n'.repeat(100))
    await expectRefused(new Map([['journal', text]]), 'is not a journal')
    const foreign = new Map([['journal', await written()]])
    await expectRefused(foreign, 'belongs to member a of cluster billing', {
      ...IDENTITY,
      member: 'b',
    })
    await expectRefused(foreign, 'not to a of shop', { ...IDENTITY, cluster: 'shop' })
  })

  it('is on a disk that failed once: it never acknowledges again', async () => {
    for (const failing of ['append', 'sync'] as const) {
      const disk = new CrashingDisk()
      const journal = await Journal.open(disk, IDENTITY)
      await journal.put('role/x', bytes(1))
      const full = new Error('journal: no space is left on the disk')
      const working = disk[failing]
      Object.assign(disk, { [failing]: () => Promise.reject(full) })
      await expect(journal.put('role/x', bytes(2))).rejects.toThrow('no space is left')
      Object.assign(disk, { [failing]: working })
      await expect(journal.put('role/x', bytes(3))).rejects.toThrow('no space is left')
      expect(journal.healthy).toBe(false)
      expect(contents(journal)).toEqual({ 'role/x': [1] })
    }
  })

  it('is on a slow disk, until the write is done', async () => {
    const clock = new ManualClock()
    const disk = new CrashingDisk()
    const reports: (string | null)[] = []
    const durations: number[] = []
    const journal = await Journal.open(disk, IDENTITY, {
      clock,
      slow: 250,
      took: (milliseconds) => durations.push(milliseconds),
      report: (line) => reports.push(line),
    })
    let thaw = () => {}
    disk.gate = new Promise((resolve) => {
      thaw = resolve
    })
    const put = journal.put('role/x', bytes(1))
    clock.advance(250)
    expect(journal.healthy).toBe(true)
    clock.advance(1)
    expect(journal.healthy).toBe(false)
    expect(contents(journal)).toEqual({})
    expect(reports).toEqual(['journal: a write has taken more than 250 ms'])
    thaw()
    await put
    expect(journal.healthy).toBe(true)
    expect(reports.at(-1)).toBe(null)
    expect(durations).toEqual([251])
  })
})

describe('a journal', () => {
  it('has a memory when it held more than the number of its start', async () => {
    const disk = new CrashingDisk()
    for (const [key, memory] of [
      ['boot', false],
      ['role/x', false],
      ['boot', true],
    ] as const) {
      const journal = await Journal.open(disk, IDENTITY)
      expect(journal.memory).toBe(memory)
      await journal.put(key, bytes(1))
    }
  })

  it('writes what waits together with one sync, the later value of a key last', async () => {
    const disk = new CrashingDisk()
    const journal = await Journal.open(disk, IDENTITY)
    const before = disk.steps
    await Promise.all([1, 2, 3, 4].map((value) => journal.put('role/x', bytes(value))))
    expect(disk.steps - before).toBe(2 * 2 * 2)
    expect(contents(await Journal.open(disk, IDENTITY))).toEqual({ 'role/x': [4] })
  })

  it('writes a value that is put at whatever moment after the write before', async () => {
    const journal = await Journal.open(new CrashingDisk(), IDENTITY)
    for (let ticks = 0; ticks < 20; ticks++) {
      await journal.put('role/x', bytes(ticks))
      for (let tick = 0; tick < ticks; tick++) await null
      await journal.put('role/y', bytes(ticks))
    }
    expect(contents(journal)).toEqual({ 'role/x': [19], 'role/y': [19] })
  })

  it('keeps its own copy of values', async () => {
    const value = bytes(1)
    const journal = await Journal.open(new CrashingDisk(), IDENTITY)
    const put = journal.put('role/x', value)
    value[0] = 2
    await put
    expect(contents(journal)).toEqual({ 'role/x': [1] })
  })

  it('uses the CRC of Castagnoli', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283)
  })
})
