import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { ProcessIdentity, ProcessTable } from '../process-identity.ts'

/** Numbers of processes that exist here. */
const PID_LIMIT = 2 ** 31

/** The state of a process that executes nothing any more, until its parent asks for its result. */
const ENDED = /^[ZX]$/

interface ProcessStatus {
  readonly state: string
  readonly start: string
}

/** The processes of a Linux machine, as /proc shows them. Elsewhere none is known. */
export function linuxProcesses(platform: string = process.platform): ProcessTable {
  const own = platform === 'linux' ? readOwn() : null
  return {
    own: () => own,
    sees: (identity) => own !== null && isHere(identity, own) && isAlive(identity),
    gone: (identity) => own !== null && isHere(identity, own) && isGone(identity),
  }
}

function readOwn(): ProcessIdentity | null {
  try {
    // Otherwise /proc belongs to another namespace.
    if (readlinkSync('/proc/self') !== String(process.pid)) return null
    const { start } = readStatus(`/proc/${process.pid}/stat`)
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { pid: process.pid, start, boot, namespace: readlinkSync('/proc/self/ns/pid') }
  } catch {
    return null
  }
}

function isHere({ pid, boot, namespace }: ProcessIdentity, own: ProcessIdentity): boolean {
  const valid = Number.isSafeInteger(pid) && pid > 0 && pid < PID_LIMIT
  return valid && boot === own.boot && namespace === own.namespace
}

function isAlive({ pid, start }: ProcessIdentity): boolean {
  try {
    const status = readStatus(`/proc/${pid}/stat`)
    return status.start === start && !ENDED.test(status.state)
  } catch {
    return false
  }
}

/**
 * A process is gone if its number is free, if another process has it, or if all its threads have
 * ended. That /proc does not show it proves nothing: it may be hidden, or /proc unmounted.
 */
function isGone({ pid, start }: ProcessIdentity): boolean {
  if (isFree(pid)) return true
  try {
    if (readStatus(`/proc/${pid}/stat`).start !== start) return true
    const threads = readdirSync(`/proc/${pid}/task`)
    return (
      threads.length > 0 &&
      threads.every((thread) => ENDED.test(readStatus(`/proc/${pid}/task/${thread}/stat`).state))
    )
  } catch {
    return isFree(pid)
  }
}

function isFree(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** The name of the program stands in brackets and may hold anything; the rest follows it. */
function readStatus(file: string): ProcessStatus {
  const text = readFileSync(file, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0], start: fields[19] }
}
