import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { threadRunner } from './thread-runner.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-threads-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A thread whose jobs do what their inputs say, and say themselves in which thread they are. */
const ENTRY = join(folder, 'thread.mjs')
writeFileSync(
  ENTRY,
  `import { parentPort, threadId } from 'node:worker_threads'
   parentPort.on('message', ({ inputs: [what] }) => {
     const kept = []
     if (what === 'exit') process.exit(3)
     if (what === 'throw') setTimeout(() => { throw new Error('a thread of its own') })
     if (what === 'memory') for (;;) kept.push(new Array(1e5).fill(kept.length))
     if (what === 'loop') for (;;);
     if (what === 'defect') parentPort.postMessage({ failed: 'a defect' })
     if (what === 'fine') parentPort.postMessage({ outputs: [threadId], ms: 1, error: null })
   })`,
)

const STUDY = { study: 's', work: { kind: 'k', given: null }, code: null }

describe('threads of a worker', () => {
  it('end without ending the worker, whatever a job does', async () => {
    const runner = threadRunner(1, ENTRY)
    const run = async (what: string, signal = new AbortController().signal) => {
      const { outputs } = await runner.run(STUDY, [what], signal)
      return outputs[0]
    }
    const first = await run('fine')
    await expect(run('defect')).rejects.toThrow('a defect')
    expect(await run('fine')).toBe(first)
    await expect(run('exit')).rejects.toThrow('the thread of the job ended with code 3')
    const second = await run('fine')
    expect(second).not.toBe(first)
    await expect(run('throw')).rejects.toThrow('a thread of its own')
    await expect(run('loop', AbortSignal.timeout(50))).rejects.toThrow('the thread of the job')
    expect(await run('fine')).not.toBe(second)
    await runner.close()
  })

  it.runIf(process.env.LONG_TESTS)('run out of memory by themselves', async () => {
    const runner = threadRunner(1, ENTRY)
    const { signal } = new AbortController()
    await expect(runner.run(STUDY, ['memory'], signal)).rejects.toThrow('memory limit')
    expect((await runner.run(STUDY, ['fine'], signal)).outputs).toHaveLength(1)
    await runner.close()
  })
})
