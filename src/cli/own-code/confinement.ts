import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** What a confined process may do. */
export interface ConfinementOptions {
  /** The script of Node that it runs, and all that it may read. */
  readonly script: string
  readonly readable: readonly string[]
  readonly memoryMB: number
  /** Of processor time in all. */
  readonly seconds?: number
  /** Further flags of Node. */
  readonly flags?: readonly string[]
}

/** The command of a confined process. */
export interface ConfinedCommand {
  readonly command: string
  readonly words: readonly string[]
  /** The protection by programs of the system, where they are there. */
  readonly layers: readonly string[]
}

/** The usual number of the user that owns nothing. */
const NOBODY = 65_534

/** The user whom a confined process becomes; null where this process cannot choose. */
export function unprivilegedUser(): number | null {
  return process.getuid?.() === 0 ? NOBODY : null
}

/** Starts Node with the rights of a script that only computes. */
export function confinedCommand(options: ConfinementOptions): ConfinedCommand {
  const { prefix, layers } = systemLimits(options)
  const [command, ...words] = [
    ...prefix,
    process.execPath,
    ...permissions(options),
    `--max-old-space-size=${options.memoryMB}`,
    ...(options.flags ?? []),
    '--no-warnings',
    options.script,
  ]
  return { command, words, layers }
}

/** The permission model lost its prefix in Node 22.13. */
function permissions({ script, readable }: ConfinementOptions): string[] {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const stable = major > 22 || (major === 22 && minor >= 13)
  return [
    stable ? '--permission' : '--experimental-permission',
    ...[script, ...readable].map((path) => `--allow-fs-read=${path}`),
  ]
}

interface SystemLimits {
  readonly prefix: readonly string[]
  readonly layers: readonly string[]
}

/** Programs of the system that take further rights from the process. */
function systemLimits({ seconds, memoryMB }: ConfinementOptions): SystemLimits {
  const network = networkNamespace()
  const shell = '/bin/sh'
  const layers = network.length > 0 ? ['empty network namespace'] : []
  if (process.platform === 'win32' || !existsSync(shell)) return { prefix: network, layers }
  // Heap, code, stacks of the threads and buffers outside of the heap.
  const kilobytes = (2 * memoryMB + 512) * 1024
  const time =
    seconds === undefined
      ? []
      : [`ulimit -S -t ${Math.ceil(seconds)}`, `ulimit -H -t ${Math.ceil(seconds) + 5}`]
  const limits = [
    'ulimit -c 0',
    'ulimit -f 0',
    ...time,
    `ulimit -d ${kilobytes} 2>/dev/null`,
    'exec "$0" "$@"',
  ]
  return {
    prefix: [...network, shell, '-c', limits.join('; ')],
    layers: [...(seconds === undefined ? [] : ['CPU time limit']), 'no files written', ...layers],
  }
}

let network: readonly string[] | undefined

/** The command that starts a program without a network; empty where that is not allowed. */
function networkNamespace(): readonly string[] {
  network ??= probedNetwork()
  return network
}

function probedNetwork(): readonly string[] {
  const unshare = ['/usr/bin/unshare', '/bin/unshare'].find((path) => existsSync(path))
  if (process.platform !== 'linux' || unshare === undefined) return []
  const ways = [
    [unshare, '--net'],
    [unshare, '--user', '--net'],
  ]
  const works = ([command, ...words]: string[]) =>
    spawnSync(command, [...words, '/bin/true'], { stdio: 'ignore', timeout: 5000 }).status === 0
  return ways.find(works) ?? []
}

/** Why a confined process ended, by its signal and what it wrote to standard error. */
export function endCause(
  stopped: boolean,
  signal: string | null,
  errors: string,
): 'time' | 'memory' | 'ended' {
  if (stopped || signal === 'SIGXCPU' || signal === 'SIGKILL') return 'time'
  const memory = /heap (out of memory|limit)|allocation failed|bad_alloc|ENOMEM/i
  return memory.test(errors) || signal === 'SIGABRT' ? 'memory' : 'ended'
}
