import { accessSync, constants as modes, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { constants, createContext, Script } from 'node:vm'
import '../../api/own-properties.ts'
import { evaluated } from '../../compiler/execution.ts'
import { BUILT } from '../../core/built.ts'
import { UsageError } from '../../core/index.ts'
import type { JobFunction, Work } from '../../jobs/executor.ts'
import { workModule } from '../../jobs/this-thread.ts'
import '../experiment/own-definitions.ts'
import { refuseCodeFromText } from '../grade/lock-realm.ts'
import { provideModules, thrownByUsers } from '../input/user-module.ts'
import { workKinds } from '../jobs/work-kinds.ts'
import { offeredModules, readCodeBundle, type TravellingFile } from './code-bundle.ts'

/*
 * The code of a child process that executes jobs with the code of others. First it loads what it
 * needs, then it gives up privileges and the host's globals, and then it evaluates the code, as
 * scripts that can import nothing. The lines to the parent begin with a secret.
 */

/** The first line of the parent; each further one is a job. */
export interface ConfinedOrder {
  readonly secret: string
  readonly work: Work
  readonly parallel: number
  /** The bundle of code, as text. */
  readonly code: string
  /** An unprivileged user to become, where the process may. */
  readonly user: number | null
}

export interface ConfinedJob {
  readonly job: number
  readonly input: unknown
}

/** A line to the parent. */
export type ConfinedReport =
  | { readonly ready: true }
  | { readonly job: number | null; readonly doing: string }
  | { readonly job: number | null; readonly output: unknown }
  | { readonly job: number | null; readonly error: UsageError['parts'] }
  | { readonly job: number | null; readonly failed: string }

const CHANNEL = 3

/** What the engines need beside the language. */
const KEPT =
  `TextEncoder TextDecoder performance queueMicrotask structuredClone AbortController AbortSignal
  Event EventTarget DOMException URL Buffer setTimeout clearTimeout setInterval clearInterval
  setImmediate clearImmediate`.split(/\s+/)

/** Parts of the language that the code of others does not get. */
const WITHHELD_GLOBALS = ['WebAssembly', 'Atomics', 'SharedArrayBuffer', 'eval', 'Function']

const host = process
const lines = createInterface({ input: host.stdin })[Symbol.asyncIterator]()
const { secret, work, parallel, code, user }: ConfinedOrder = JSON.parse((await lines.next()).value)

function say(report: ConfinedReport): void {
  writeSync(CHANNEL, `${secret}${JSON.stringify(report)}\n`)
}

host.on('unhandledRejection', async (error) => {
  await tellError(null, error)
  host.exit(1)
})

try {
  const execute = await opened()
  for (;;) {
    const { done, value } = await lines.next()
    if (done) break
    await executeJob(execute, JSON.parse(value))
  }
} catch (error) {
  await tellError(null, error)
}
host.exit(0)

async function opened(): Promise<JobFunction> {
  const files = readCodeBundle(Buffer.from(code))
  const kind = await workModule(workKinds, work)
  const offered = await offeredModules(files)
  if (user !== null) becomeUser(user)
  for (const key of Object.keys(host.env)) delete host.env[key]
  bareGlobals()
  provideScripts(files, offered)
  const execute = await kind.open(work.given as never, { parallel })
  say({ ready: true })
  return execute
}

function provideScripts(files: readonly TravellingFile[], offered: object): void {
  const names = Object.values(offered).flatMap((module) => Object.keys(module))
  const byPath = new Map(files.map((file) => [file.path, file]))
  const loaded = new Map<string, ReturnType<typeof evaluated>>()
  provideModules((path) => {
    const file = byPath.get(path)
    if (file === undefined) return null
    const known = loaded.get(path)
    if (known !== undefined) return known
    const module = evaluated({ ...file, path: file.shown }, names, (name) => {
      const exported = new Script(file.code, { filename: name }).runInThisContext()(offered)
      return exported ?? {}
    })
    loaded.set(path, module)
    return module
  })
}

async function executeJob(execute: JobFunction, { job, input }: ConfinedJob): Promise<void> {
  try {
    const doing = (what: string) => say({ job, doing: what })
    say({ job, output: await execute(input as never, { doing }) })
  } catch (error) {
    await tellError(job, error)
  }
}

async function tellError(job: number | null, error: unknown): Promise<void> {
  const mistake = (await thrownByUsers(error)) ?? error
  if (mistake instanceof UsageError) return say({ job, error: mistake.parts })
  say({ job, failed: mistake instanceof Error ? mistake.message : String(mistake) })
}

/** Gives up all privileges. Parts of the program are loaded later, by a user that owns nothing. */
function becomeUser(id: number): void {
  try {
    host.setgroups?.([])
    host.setgid?.(id)
    host.setuid?.(id)
  } catch {
    throw rootRefused('it cannot become another user here')
  }
  try {
    accessSync(new URL('index.js', BUILT), modes.R_OK)
  } catch {
    throw rootRefused('other users cannot read the folder of conclave')
  }
}

function rootRefused(why: string): UsageError {
  return new UsageError(
    'worker',
    `root does not run the code of others, and ${why}.`,
    'Start the worker as another user.',
  )
}

/** Leaves the language and what the engines need on the global object. */
function bareGlobals(): void {
  const fresh = createContext(constants.DONT_CONTEXTIFY as never)
  const language: string[] = new Script('Object.getOwnPropertyNames(globalThis).join()')
    .runInContext(fresh)
    .split(',')
  const kept = new Set([...language, ...KEPT])
  for (const name of WITHHELD_GLOBALS) kept.delete(name)
  refuseCodeFromText()
  for (const key of Reflect.ownKeys(globalThis))
    if (typeof key === 'symbol' || !kept.has(key))
      Reflect.deleteProperty(globalThis, key) || Reflect.set(globalThis, key, undefined)
  const silent = () => {}
  const console = { log: silent, info: silent, warn: silent, error: silent, debug: silent }
  const process = {
    cwd: () => host.cwd(),
    cpuUsage: () => host.cpuUsage(),
    env: {},
    on: silent,
    platform: host.platform,
  }
  Object.assign(globalThis, { console: Object.freeze(console), process: Object.freeze(process) })
}
