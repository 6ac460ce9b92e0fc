import { describe, expect, it } from 'vitest'
import { CrashingDisk } from '../../../test/support/crashing-disk.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { ByteWriter } from '../../core/runtime/bytes.ts'
import { Journal } from './journal.ts'
import { crc32c, entriesBody, recordOf, recordsIn } from './records.ts'

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
    const cuts: string[] = []
    const options = { ...OPTIONS, cut: (line: string) => cuts.push(line) }
    for (let step = 0; step < steps; step++) {
      const { disk, allowed } = await crashed(step)
      for (const files of disk.afterCrash()) {
        worlds++
        shortest = Math.min(shortest, bodiesOf(files))
        const [length, noted] = [files.get('journal')?.length ?? 0, cuts.length]
        const disk = new CrashingDisk(files)
        const journal = await Journal.open(disk, IDENTITY, options)
        expect([journal.problem, journal.lost]).toEqual([null, null])
        expect(allowed).toContainEqual(contents(journal))
        const shorter = length > 0 && (await disk.read('journal'))!.length < length
        expect(cuts.length - noted).toBe(shorter ? 1 : 0)
      }
    }
    expect(cuts[0]).toMatch(
      /^journal: the last \d+ bytes were being written when the machine stopped/,
    )
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

  it('is whole if power is lost after a restart that found an unsynced record', async () => {
    const disk = new CrashingDisk()
    const journal = await Journal.open(disk, IDENTITY)
    await journal.put('role/x', bytes(1))
    disk.killedBefore = 'sync'
    await expect(journal.put('role/x', bytes(2))).rejects.toThrow()
    // The process is gone, and the system has what it wrote.
    expect(contents(await Journal.open(disk, IDENTITY))).toEqual({ 'role/x': [2] })
    for (const files of disk.afterCrash())
      expect((await Journal.open(new CrashingDisk(files), IDENTITY)).lost).toBe(null)
  })

  it('stays short: only what it holds is kept', async () => {
    const disk = new CrashingDisk()
    const journal = await Journal.open(disk, IDENTITY, OPTIONS)
    for (let i = 0; i < 200; i++) await journal.put('role/x', bytes(i, i, i))
    expect((await disk.read('journal'))!.length).toBeLessThan(200)
    expect(contents(await Journal.open(disk, IDENTITY))).toEqual({ 'role/x': [199, 199, 199] })
  })
})

describe('a journal whose durable records are damaged', () => {
  const STATE = { config: [1, 2, 3], 'role/x': [1, 2, 3], 'role/y': [4] }

  async function written(): Promise<Files> {
    const disk = new CrashingDisk()
    const journal = await Journal.open(disk, IDENTITY)
    for (const [key, value] of Object.entries(STATE)) await journal.put(key, bytes(...value))
    return disk.contents()
  }

  /** It acknowledges nothing before it was told to begin anew. */
  async function expectLost(files: Files, why: string) {
    const disk = new CrashingDisk(files)
    const journal = await Journal.open(disk, IDENTITY)
    expect(journal.lost).toContain(why)
    expect(journal.problem).toBe(journal.lost)
    await expect(journal.put('role/x', bytes(9))).rejects.toThrow(why)
    await journal.forget(new Map([['config', bytes(7)]]))
    expect([journal.problem, journal.lost]).toEqual([null, null])
    await journal.put('boot', bytes(1))
    const reopened = await Journal.open(disk, IDENTITY)
    expect(reopened.lost).toBe(null)
    expect(contents(reopened)).toEqual({ config: [7], boot: [1] })
    expect(await disk.read('journal.forgotten')).toEqual(files.get('journal') ?? null)
  }

  const changed = (files: Files, file: string, content: Uint8Array) =>
    new Map([...files, [file, content]])

  it('has lost its memory, whatever bit of it is wrong', async () => {
    const files = await written()
    const good = files.get('journal')!
    for (let bit = 0; bit < 8 * good.length; bit++) {
      const bad = good.slice()
      bad[bit >> 3] ^= 1 << (bit & 7)
      await expectLost(changed(files, 'journal', bad), 'damaged')
    }
  })

  it('has lost its memory, wherever it was cut off, also between two records', async () => {
    const files = await written()
    const good = files.get('journal')!
    for (let length = 0; length < good.length; length++)
      await expectLost(changed(files, 'journal', good.slice(0, length)), 'damaged')
    await expectLost(new Map([...files].filter(([name]) => name !== 'journal')), 'is missing')
  })

  it('never passes for a shorter one, whatever happens to its mark', async () => {
    const files = await written()
    const mark = files.get('journal.mark')!
    const bad = Array.from({ length: 8 * mark.length }, (_, bit) => {
      const flipped = mark.slice()
      flipped[bit >> 3] ^= 1 << (bit & 7)
      return flipped
    })
    for (let length = 0; length <= mark.length; length++) bad.push(mark.slice(0, length))
    for (const content of bad) {
      const disk = new CrashingDisk(changed(files, 'journal.mark', content))
      const journal = await Journal.open(disk, IDENTITY)
      if (journal.lost === null) expect(contents(journal)).toEqual(STATE)
    }
    const without = new Map([...files].filter(([name]) => name !== 'journal.mark'))
    await expectLost(without, 'mark of the journal is missing')
  })

  it('is an older copy of the file alone', async () => {
    const disk = new CrashingDisk()
    const journal = await Journal.open(disk, IDENTITY, OPTIONS)
    let older = (await disk.read('journal'))!
    for (let i = 0; i < 30; i++) {
      await journal.put('role/x', bytes(i, i, i))
      await expectLost(changed(disk.contents(), 'journal', older), 'journal')
      if (i % 5 === 0) older = (await disk.read('journal'))!
    }
  })

  it('is no journal at all: that file is kept under another name', async () => {
    const text = new TextEncoder().encode('role: cron\n'.repeat(100))
    for (const content of [bytes(), text])
      await expectLost(new Map([['journal', content]]), 'its beginning is damaged')
  })

  it('can begin anew whenever that is interrupted', async () => {
    const files = changed(await written(), 'journal', bytes(1, 2, 3))
    for (let step = 0; step < 30; step++) {
      const disk = new CrashingDisk(files, step)
      const journal = await Journal.open(disk, IDENTITY)
      await journal.forget(new Map([['config', bytes(7)]])).catch(() => {})
      for (const left of disk.afterCrash()) {
        const again = await Journal.open(new CrashingDisk(left), IDENTITY)
        if (again.lost === null) expect(contents(again)).toEqual({ config: [7] })
      }
    }
  })
})

describe('a journal of the first format', () => {
  const first = new ByteWriter()
  for (const text of ['conclave journal 1', 'billing', 'a']) first.text(text)
  const identity = recordOf(first.take())
  const entries = recordOf(entriesBody(new Map([['role/x', bytes(1, 2)]])))
  const journal = Uint8Array.of(...identity, ...entries)

  it('is read, and has a mark from then on', async () => {
    const disk = new CrashingDisk(new Map([['journal', journal]]))
    expect(contents(await Journal.open(disk, IDENTITY))).toEqual({ 'role/x': [1, 2] })
    const shorter = (await disk.read('journal'))!.slice(0, -1)
    const damaged = new CrashingDisk(new Map([...disk.contents(), ['journal', shorter]]))
    expect((await Journal.open(damaged, IDENTITY)).lost).toContain('damaged')
    expect(contents(await Journal.open(disk, IDENTITY))).toEqual({ 'role/x': [1, 2] })
  })

  it('does not tell a torn record from a damaged one: then its memory is lost', async () => {
    for (let length = 1; length < journal.length; length++) {
      const disk = new CrashingDisk(new Map([['journal', journal.slice(0, length)]]))
      const opened = await Journal.open(disk, IDENTITY)
      expect(opened.lost === null).toBe(length === identity.length)
    }
  })
})

describe('a journal that cannot be used', () => {
  it('is another member’s', async () => {
    const disk = new CrashingDisk()
    await (await Journal.open(disk, IDENTITY)).put('role/x', bytes(1))
    const files = disk.contents()
    for (const [other, why] of [
      [{ ...IDENTITY, member: 'b' }, 'belongs to member a of cluster billing'],
      [{ ...IDENTITY, cluster: 'shop' }, 'not to a of shop'],
    ] as const) {
      const reports: (string | null)[] = []
      const journal = await Journal.open(disk, other, { report: (line) => reports.push(line) })
      expect([journal.foreign, journal.lost, reports]).toEqual([true, null, []])
      expect(journal.problem).toContain(why)
      await expect(journal.put('role/x', bytes(9))).rejects.toThrow(why)
      expect(disk.contents()).toEqual(files)
    }
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
  it('counts the records that must not be forgotten', async () => {
    const disk = new CrashingDisk()
    const counts: number[] = []
    const options = {
      ...OPTIONS,
      uncounted: new Set(['boot']),
      counted: () => counts.push(journal.count),
    }
    const journal = await Journal.open(disk, IDENTITY, options)
    for (let i = 0; i < 20; i++)
      for (const key of ['boot', 'role/x']) await journal.put(key, bytes(i, i, i))
    expect(counts).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    expect((await Journal.open(disk, IDENTITY, options)).count).toBe(20)
  })

  it('writes what waits together with one sync, the later value of a key last', async () => {
    const disk = new CrashingDisk()
    const journal = await Journal.open(disk, IDENTITY)
    const before = disk.steps
    await Promise.all([1, 2, 3, 4].map((value) => journal.put('role/x', bytes(value))))
    // Two records, each appended, synced and marked.
    expect(disk.steps - before).toBe(2 * 2 * 4)
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
