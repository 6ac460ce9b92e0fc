import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linuxProcesses } from './linux-processes.ts'

const processes = linuxProcesses()
const OFTEN = { timeout: 20_000, interval: 2 }

/** The identity of a process as itself would tell it: /proc is the same for all of them here. */
function identityOf(pid: number) {
  const own = processes.own()!
  const start = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[19]
  return { ...own, pid, start }
}

describe.runIf(process.platform === 'linux')('the processes of this machine', () => {
  it('this one is seen, and is not gone', () => {
    const own = processes.own()!
    expect(own.pid).toBe(process.pid)
    expect(own).toEqual(identityOf(process.pid))
    expect(processes.sees(own)).toBe(true)
    expect(processes.gone(own)).toBe(false)
  })

  it('one that was killed is gone, also before its parent asks for its result', async () => {
    // The shell starts a child that ends, and never waits for it.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'])
    const [line] = await once(parent.stdout, 'data')
    const child = identityOf(Number(String(line)))
    expect(processes.sees(child)).toBe(true)
    expect(processes.gone(child)).toBe(false)
    process.kill(child.pid, 'SIGSTOP')
    expect(processes.gone(child)).toBe(false)
    // The shell itself would ask for the result.
    const name = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')
    await expect.poll(name, OFTEN).toBe('sleep\n')
    process.kill(child.pid, 'SIGKILL')
    await expect.poll(() => processes.gone(child), OFTEN).toBe(true)
    expect(readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toMatch(/\) Z /)
    expect(processes.sees(child)).toBe(false)
    const above = identityOf(parent.pid!)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    expect(processes.gone(above)).toBe(true)
  })

  it('one with another start has taken the number of one that is gone', () => {
    const earlier = { ...processes.own()!, start: '1' }
    expect(processes.sees(earlier)).toBe(false)
    expect(processes.gone(earlier)).toBe(true)
  })

  it('of another boot, another namespace, or of an impossible number nothing is known', () => {
    const own = processes.own()!
    for (const changes of [
      { boot: 'another' },
      { namespace: 'pid:[1]' },
      { pid: -1 },
      { pid: 0 },
      { pid: 2 ** 31 },
      { pid: 1.5 },
    ]) {
      expect(processes.sees({ ...own, ...changes })).toBe(false)
      expect(processes.gone({ ...own, ...changes })).toBe(false)
    }
  })
})

it('elsewhere no process is known', () => {
  const none = linuxProcesses('darwin')
  expect(none.own()).toBeNull()
  const identity = { pid: process.pid, start: '1', boot: 'x', namespace: 'y' }
  expect(none.sees(identity)).toBe(false)
  expect(none.gone(identity)).toBe(false)
})
