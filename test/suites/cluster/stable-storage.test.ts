import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PROGRAM } from '../../support/built-program.ts'
import { freeAddresses } from '../../support/free-ports.ts'
import { expectUsageError } from '../../support/run-command.ts'

let folder: string
let child: ChildProcess | null = null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-stable-'))
})

afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the only voter of a cluster, waits until it leads, and ends it as a power loss does. */
async function termAfterStart(words: readonly string[]): Promise<number> {
  child = spawn(process.execPath, [PROGRAM, 'node', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for await (const line of createInterface({ input: child.stdout! })) {
    const report = JSON.parse(line)
    if (report.status !== 'leader') continue
    child.kill('SIGKILL')
    await once(child, 'close')
    return report.term
  }
  throw new Error('the process ended without leading')
}

describe('a process that makes promises', () => {
  it('remembers its terms after kill -9', async () => {
    const [address] = await freeAddresses(1)
    const words = ['--algorithm', 'quorum-lease', '--complete', address, '--me', '0', '--json']
    const timed = [...words, '--delay-bound', '10ms', '--storage', folder]
    const terms: number[] = []
    for (let start = 0; start < 3; start++) terms.push(await termAfterStart(timed))
    // A busy machine may need more than one term; a forgotten one would come again.
    expect(terms).toEqual([...new Set(terms)].toSorted((a, b) => a - b))
  })

  it('does not start without a folder for them', async () => {
    const words = ['node', '--algorithm', 'quorum-lease', '--complete', '127.0.0.1:7001']
    await expectUsageError([...words, '--me', '0'], '--storage', 'makes promises')
    const bully = ['node', '--algorithm', 'bully', '--complete', '127.0.0.1:7001', '--me', '0']
    await expectUsageError([...bully, '--storage', folder], '--storage', 'nothing to remember')
  })
})
