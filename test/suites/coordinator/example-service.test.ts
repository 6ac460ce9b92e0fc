import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'

const script = fileURLToPath(new URL('../../../examples/coordinator/start.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'conclave-example-'))
let child: ChildProcess | null = null
let output = ''

afterEach(() => {
  child?.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** The last process that led, its name and its term. */
function leader() {
  const [, name, term] = [...output.matchAll(/^([abc]) leads in term (\d+)$/gm)].at(-1) ?? []
  const [, pid] = [...output.matchAll(new RegExp(`^${name} is process (\\d+)$`, 'gm'))].at(-1) ?? []
  return { name, term: Number(term), pid: Number(pid) }
}

function written() {
  const log = join(folder, 'state', 'resource.log')
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  return lines.map((line) => ({ token: Number(line.split(' ')[0]), holder: line.split(' ')[1] }))
}

const until = (holds: () => boolean) =>
  vi.waitUntil(holds, { timeout: 30_000, interval: 50 }).then(() => {})

const writes = (from: number) => until(() => written().some(({ token }) => token > from))

test('the example: processes are killed and frozen, and tokens only grow', async () => {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  child = spawn(process.execPath, [script, String(port), join(folder, 'state')])
  child.stdout!.on('data', (text) => {
    output += text
  })
  await writes(0)

  const frozen = leader()
  process.kill(frozen.pid, 'SIGSTOP')
  await writes(frozen.term)
  process.kill(frozen.pid, 'SIGCONT')
  await until(() => output.includes(`${frozen.name} leads no more`))

  const killed = leader()
  process.kill(killed.pid, 'SIGKILL')
  await writes(killed.term)

  const all = written()
  expect(all.map(({ token }) => token)).toEqual(
    all.map(({ token }) => token).toSorted((a, b) => a - b),
  )
  const holders = new Set(all.map(({ token, holder }) => `${token} ${holder}`))
  expect(holders.size).toBe(new Set(all.map(({ token }) => token)).size)
  expect(holders.size).toBeGreaterThanOrEqual(3)
}, 120_000)
