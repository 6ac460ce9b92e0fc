import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { executed, executorConformance } from '../../test/support/jobs/conformance.ts'
import { testKinds } from '../../test/support/jobs/kinds.ts'
import { canonicalJson, jobIds } from './jetstream/protocol.ts'
import { thisThread } from './this-thread.ts'
import { jobThreads } from './threads.ts'

const LONG = process.env.LONG_TESTS === '1'

const folder = mkdtempSync(join(tmpdir(), 'conclave-jobs-'))
const file = join(folder, 'thread.mjs')
afterAll(() => rmSync(folder, { recursive: true }))

// Threads cannot load the sources.
buildSync({
  entryPoints: [fileURLToPath(new URL('../../test/support/jobs/thread.ts', import.meta.url))],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'esm',
})
const settings = { kinds: testKinds, entry: pathToFileURL(file).href }

executorConformance('in this thread', () => thisThread(testKinds))
executorConformance('in this thread, several jobs at once', () => thisThread(testKinds, 3))
executorConformance('in two threads', () => jobThreads({ ...settings, count: 2 }))

describe('threads', () => {
  it('are not started for a short study whose jobs can end early', async () => {
    const executor = jobThreads({ ...settings, entry: 'there/is/no.js', count: 2 })
    const { outputs } = await executed(executor, { kind: 'compute', given: null }, [1, 1, 1])
    expect(outputs.size).toBe(3)
    await executor.close()
  })

  it('tell jobs how many there are at once', async () => {
    const executor = jobThreads({ ...settings, count: 2 })
    const { outputs } = await executed(executor, { kind: 'place', given: null }, [0, 1, 2])
    expect([...outputs.values()]).toEqual([2, 2, 2])
    await executor.close()
  })

  it.runIf(LONG)('execute what takes long, and leave this thread free', async () => {
    const executor = jobThreads({ ...settings, count: 2 })
    let ticks = 0
    const ticking = setInterval(() => ticks++, 10)
    const { outputs } = await executed(executor, { kind: 'compute', given: null }, [4000, 1, 1, 1])
    clearInterval(ticking)
    expect([...outputs.keys()].sort()).toEqual([0, 1, 2, 3])
    expect(ticks).toBeGreaterThan(5)
    await executor.close()
  })
})

describe('ids of jobs', () => {
  it('depend on the content alone, not on the order of names', () => {
    const one = jobIds({ kind: 'k', given: { a: 1, b: [{ c: 2, d: 3 }] } })({ x: 1, y: null })
    const same = jobIds({ kind: 'k', given: { b: [{ d: 3, c: 2 }], a: 1 } })({ y: null, x: 1 })
    expect(same).toBe(one)
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    const others = [
      jobIds({ kind: 'l', given: { a: 1, b: [{ c: 2, d: 3 }] } })({ x: 1, y: null }),
      jobIds({ kind: 'k', given: { a: 1, b: [{ c: 2, d: 4 }] } })({ x: 1, y: null }),
      jobIds({ kind: 'k', given: { a: 1, b: [{ c: 2, d: 3 }] } })({ x: 1, y: 0 }),
    ]
    expect(new Set([one, ...others]).size).toBe(4)
    expect(canonicalJson({ b: [2, 1], a: { d: 'x', c: null } })).toBe(
      '{"a":{"c":null,"d":"x"},"b":[2,1]}',
    )
  })
})
