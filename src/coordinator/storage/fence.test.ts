import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CrashingDisk } from '../../../test/support/crashing-disk.ts'
import { Fence, type FenceStore, type FencingToken, journalStore, StaleToken } from './fence.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conclave-fence-'))
})
afterEach(() => rm(folder, { recursive: true }))

const by = (token: number, holder: string): FencingToken => ({ token, holder })

describe('a fence', () => {
  it('refuses a smaller token, an equal one of another holder, also after restarts', async () => {
    const written: string[] = []
    const write = (text: string) => () => void written.push(text)
    for (let start = 0; start < 2; start++) {
      await using fence = await Fence.open(folder)
      await fence.run(by(5, 'a'), write('a5'))
      await fence.run(by(5, 'a'), write('a5 again'))
      await expect(fence.run(by(4, 'b'), write('b4'))).rejects.toThrow(StaleToken)
      await expect(fence.run(by(5, 'b'), write('b5'))).rejects.toThrow(
        'token 5 of b is stale: a has written with 5',
      )
      expect(await fence.highest).toEqual(by(5, 'a'))
    }
    await using fence = await Fence.open(folder)
    await fence.run(by(7, 'b'), write('b7'))
    await expect(fence.run(by(5, 'a'), write('late'))).rejects.toThrow(StaleToken)
    expect(written).toEqual(['a5', 'a5 again', 'a5', 'a5 again', 'b7'])
  })

  it('finishes a write of an older leader before one of a newer begins', async () => {
    await using fence = await Fence.open(folder)
    const order: string[] = []
    let finish = () => {}
    const slow = fence.run(by(1, 'a'), async () => {
      order.push('a begins')
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      order.push('a ends')
    })
    const next = fence.run(by(2, 'b'), () => void order.push('b'))
    while (order.length === 0) await new Promise((resolve) => setImmediate(resolve))
    finish()
    await Promise.all([slow, next])
    expect(order).toEqual(['a begins', 'a ends', 'b'])
  })

  it('goes on after a write that throws', async () => {
    await using fence = await Fence.open(folder)
    const broken = fence.run(by(1, 'a'), () => Promise.reject(new Error('disk full')))
    await expect(broken).rejects.toThrow('disk full')
    expect(await fence.run(by(1, 'a'), () => 3)).toBe(3)
  })

  it('tries again where another process changed the mark in between', async () => {
    let mark: FencingToken | null = null
    let races = 0
    const store: FenceStore = {
      read: async () => mark,
      compareAndSet: async (before, after) => {
        if (races++ === 0) mark = by(3, 'other')
        if (JSON.stringify(mark) !== JSON.stringify(before)) return false
        mark = after
        return true
      },
    }
    const fence = await Fence.open(store)
    await expect(fence.check(by(2, 'a'))).rejects.toThrow('other has written with 3')
    await fence.check(by(4, 'a'))
    expect(mark).toEqual(by(4, 'a'))
  })

  it('never forgets a token under which it has written, at whatever step it crashes', async () => {
    const open = async (disk: CrashingDisk) => Fence.open(await journalStore(disk))
    const session = async (disk: CrashingDisk) => {
      let highest = 0
      try {
        const fence = await open(disk)
        for (const token of [1, 2, 9]) {
          await fence.run(by(token, 'a'), () => {
            highest = token
          })
        }
      } catch {}
      return highest
    }
    const whole = new CrashingDisk()
    expect(await session(whole)).toBe(9)
    for (let step = 0; step < whole.steps; step++) {
      const disk = new CrashingDisk(new Map(), step)
      const highest = await session(disk)
      for (const files of disk.afterCrash()) {
        const fence = await open(new CrashingDisk(files))
        if (highest > 1) await expect(fence.check(by(highest - 1, 'b'))).rejects.toThrow(StaleToken)
        await fence.check(by(10, 'b'))
      }
    }
  })

  it('does not open where its memory cannot be trusted', async () => {
    const disk = new CrashingDisk(new Map([['journal', Uint8Array.of(1, 2, 3)]]))
    await expect(journalStore(disk)).rejects.toThrow('fence: journal: its beginning is damaged')
    await using first = await Fence.open(folder)
    expect(await first.highest).toBe(null)
    await expect(Fence.open(folder)).rejects.toThrow('another process uses this folder')
  })

  it('takes tokens only', async () => {
    await using fence = await Fence.open(folder)
    for (const token of [-1, 1.5, Number.NaN, 2 ** 60]) {
      await expect(fence.check(by(token, 'a'))).rejects.toThrow('is not a token')
    }
  })
})
