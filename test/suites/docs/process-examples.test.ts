import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nkeys } from '@nats-io/transport-node'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAM } from '../../support/built-program.ts'
import { CONSOLE_PAGES, codeBlocks } from '../../support/console-blocks.ts'
import { freeAddresses } from '../../support/free-ports.ts'
import { type NatsServer, startNatsServer } from '../../support/nats-server.ts'
import {
  filesUnder,
  groupOfFile,
  groupsOf,
  type PrintedGroup,
  type PrintedProcess,
  type ProcessBlock,
  processBlocks,
  textOf,
} from '../../support/process-examples.ts'
import { shell } from '../../support/run-command.ts'

/*
 * Every block of code in README.md, docs/ and examples/ that starts processes, and every unit and
 * container there, is started as it is printed: all members of it, on loopback, each with a name
 * and a storage folder of its own. Nothing but addresses, folders and names is changed.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url))
const PATIENCE = 20_000
/** The commands of the page on certificates, which code with TLS relies on. */
const CERTIFICATES = ['conclave certs init --cluster billing', 'conclave certs issue a b c']

/** What code prints that has more to say than who leads. */
const SAYS: Readonly<Record<string, RegExp>> = {
  'three-members.mjs': /^id 3 leads\n(id 3 leads\n)*id 2 leads\n$/,
  // 90 - 5 is the most.
  'elected-by.mjs': /^id 1 leads, which has the most charge left\n$/,
  // 1.6 / 4, and 2.8 / 4 with 1.3 in place of 0.1.
  'average-load.mjs': /^the average load was 0.40 and is 0.70\n$/,
  'one-liners.mjs': new RegExp(
    '^id 3 leads after 11 messages\n3666 states, every property holds: true\n' +
      "\\[\n? *'[\\d.]+ messages on 8 nodes'[\\s\\S]*\\]\nthis member leads: true\n$",
  ),
}

const blocks = processBlocks()
const inLanguage = (form: RegExp) => blocks.filter(({ language }) => form.test(language))
const files = filesUnder('examples').filter(
  (path) =>
    /\.(ya?ml|service)$/.test(path) && /image: conclave|\/usr\/bin\/conclave/.test(textOf(path)),
)
/**
 * A page repeats what the help of a command says: what is the same is started once. Commands of
 * `cluster` are run daily where their output is pasted, workers by the suites of jobs.
 */
const DAILY = ['coordinator', 'node']
const isDue = ({ kind }: PrintedGroup) => DAILY.includes(kind) || process.env.LONG_TESTS === '1'
const groups = [
  ...new Map(
    inLanguage(/^sh$/)
      .flatMap(groupsOf)
      .map((group) => [JSON.stringify(group.processes), group] as const),
  ).values(),
]

const folder = mkdtempSync(join(tmpdir(), 'conclave-process-examples-'))
const programs = join(folder, 'bin')
const started = new Set<ChildProcess>()
let addresses: string[] = []

beforeAll(async () => {
  // The first of them are those that servers of NATS find, too.
  addresses = (await freeAddresses(350)).slice(50)
  mkdirSync(programs)
  executable(join(programs, 'conclave'), `exec "${process.execPath}" "${PROGRAM}" "$@"`)
  // Each example that needs one has a server already.
  executable(join(programs, 'nats-server'), 'exit 0')
})

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

function executable(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

/** Two searches for a free port at the same time would find the same one. */
let starting: Promise<unknown> = Promise.resolve()
function serverOf(): Promise<NatsServer> {
  const server = starting.then(() => startNatsServer())
  starting = server
  return server
}

/** A started process and what it has printed. */
class Running {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  out = ''
  err = ''
  code: number | null | undefined
  killed = false

  constructor(
    readonly me: string,
    readonly storage: string,
    readonly command: string,
    cwd: string,
    env: NodeJS.ProcessEnv,
  ) {
    this.child = spawn('sh', ['-c', `exec ${command}`], { cwd, env })
    started.add(this.child)
    this.child.stdout!.on('data', (text) => {
      this.out += text
    })
    this.child.stderr!.on('data', (text) => {
      this.err += text
    })
    this.ended = new Promise((resolve) =>
      this.child.once('close', (code) => {
        started.delete(this.child)
        this.code = code
        resolve(code)
      }),
    )
  }

  /** Whether it has ended by a mistake. */
  get failed(): boolean {
    return !this.killed && this.code !== undefined && this.code !== 0
  }

  async kill(): Promise<void> {
    this.killed = true
    this.child.kill('SIGKILL')
    await this.ended
  }
}

/** A folder in which an example runs, with the files that it takes for granted. */
class Stage {
  readonly folder = mkdtempSync(join(folder, 'example-'))
  readonly running: Running[] = []
  private readonly replaced = new Map<string, string>()

  constructor(
    private readonly printed: string,
    readonly server: NatsServer | null,
  ) {
    mkdirSync(join(this.folder, 'node_modules'))
    symlinkSync(root, join(this.folder, 'node_modules/conclave'))
    const put = (name: string, text: string) => writeFileSync(join(this.folder, name), text)
    put('secret', 'a secret of this test\n')
    put('mine.ts', textOf('examples/smallest-first.ts'))
    put('lecture.json', blockNamed('docs/scenarios.md', 'lecture.json'))
    put('billing.json', this.substituted(blockNamed('docs/coordinator.md', 'billing.json'), ''))
    put('worker.creds', credentials())
    executable(join(this.folder, 'cron.sh'), JOB)
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, PATH: `${programs}:${process.env.PATH}` }
  }

  run(commands: readonly string[]): void {
    for (const command of commands)
      execFileSync('sh', ['-c', command], { cwd: this.folder, env: this.env, stdio: 'pipe' })
  }

  /** Starts a process, on free ports and, where paths are absolute, under a root of its own. */
  start({ me, command, variables = {} }: PrintedProcess): void {
    const place = (text: string) =>
      this.substituted(text, me).replace(
        /(?<![\w.:/])\/(?=(etc|run|usr|var)\/)/g,
        `${this.rootOf(me)}/`,
      )
    const line = place(command)
    const set = Object.entries(variables).map(([name, value]) => {
      const text = place(`${name}=${value}`)
      return [name, text.slice(name.length + 1)] as const
    })
    const env = { ...this.env, ...Object.fromEntries(set) }
    const storage = /--storage (\S+)/.exec(line)?.[1] ?? env.CONCLAVE_STORAGE ?? ''
    this.running.push(
      new Running(
        me,
        join(storage.startsWith('/') ? '' : this.folder, storage),
        line,
        this.folder,
        env,
      ),
    )
  }

  rootOf(me: string): string {
    return join(this.folder, `root-of-${me}`)
  }

  /** Members listen on free ports, the same for all; what else listens has one for each member. */
  substituted(text: string, me: string): string {
    const address = (key: string) => {
      if (!this.replaced.has(key)) this.replaced.set(key, addresses.shift()!)
      return this.replaced.get(key)!
    }
    const own = new RegExp(`\\b${me}=([\\w.-]+:\\d+)`).exec(this.printed)?.[1] ?? ''
    return text.replace(
      /(http\W+)?((?:nats|tls):\/\/)?\b([\w.-]+):(\d{4,5})\b/gi,
      (all, http: string | undefined, scheme: string | undefined, host: string) => {
        if (scheme !== undefined) return this.server!.url
        if (http !== undefined) return `${http}${address(`${me} ${all}`)}`
        return address(host === '0.0.0.0' ? own : all)
      },
    )
  }

  /** What was printed, for whoever has to find out why nobody leads. */
  said(): string {
    const lines = this.running.map(({ me, out, err, code }) => {
      const state = code === undefined ? 'runs' : `has ended with ${code}`
      return `${me} ${state}: ${out}${err}`.slice(0, 2000)
    })
    return `this was waited for in vain:\n${lines.join('\n')}`
  }

  /** Asks again until there is an answer. */
  async until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
    const end = performance.now() + PATIENCE
    for (;;) {
      const found = await look()
      if (found) return found
      if (performance.now() > end || this.running.some(({ failed }) => failed))
        throw new Error(this.said())
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.running.map((one) => one.kill()))
    await this.server?.stop()
  }
}

const JOB = 'echo "token $CONCLAVE_TOKEN"; exec sleep 60'

function blockNamed(page: string, name: string): string {
  return codeBlocks(textOf(page)).find((block) => block.name === name)!.code
}

/** A file of credentials; the servers of this test let everybody in. */
function credentials(): string {
  const seed = Buffer.from(nkeys.createUser().getSeed()).toString()
  const part = (name: string, text: string) =>
    `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`
  return part('NATS USER JWT', 'e30.e30.e30') + part('USER NKEY SEED', seed)
}

async function stageFor(printed: string): Promise<Stage> {
  const server = /\b(nats|tls):\/\//.test(printed) ? await serverOf() : null
  return new Stage(printed, server)
}

interface View {
  readonly leader: string
  readonly term: number
}

/** All members know one leader; when it is killed, another one leads with a larger token. */
async function expectSuccession(stage: Stage): Promise<void> {
  const { running } = stage
  expect(running.length).toBe(3)
  const first = await stage.until(() => agreed(running, 0))
  await running.find(({ me }) => me === first.leader)!.kill()
  const rest = running.filter(({ me }) => me !== first.leader)
  const second = await stage.until(() => agreed(rest, first.term))
  const { out } = await shell('status', '--storage', rest[0].storage)
  expect(out).toMatch(/^cron +\S+ +\d+ /m)
  expect(rest.map(({ me }) => me)).toContain(second.leader)
}

/** What all members say of who leads, in `status` and otherwise, if they say the same. */
async function agreed(running: readonly Running[], above: number): Promise<View | null> {
  const views = await Promise.all(
    running.map(async ({ storage }): Promise<View> => {
      const { code, out } = await shell('status', '--storage', storage, '--json')
      return code === 0 ? JSON.parse(out) : { leader: '', term: 0 }
    }),
  )
  const [view] = views
  const same = views.every(({ leader, term }) => leader === view.leader && term === view.term)
  return same && view.term > above && isTold(running, view) ? view : null
}

/** Members without a command say who leads; a command runs at the leader, and has the token. */
function isTold(running: readonly Running[], { leader, term }: View): boolean {
  const { command } = running[0]
  const named = new RegExp(`^cron: ${leader} .*leads, term`, 'm')
  if (!command.includes(' -- ')) return running.every(({ out }) => named.test(out))
  const begun = new RegExp(`"event":"job".*"term":${term}\\b`)
  return running.every(({ me, out, err }) => {
    const silent = command.endsWith('-- sleep infinity')
    const [runs, has] = [begun.test(err), out.includes(`token ${term}\n`)]
    return runs === (me === leader) && has === (me === leader && !silent)
  })
}

describe('a block of code that starts processes', () => {
  it('is one that is run here', () => {
    const synopsis = ({ language, code }: ProcessBlock) =>
      language === '' && /^conclave \w+ \[options\].*\n$/.test(code)
    const pasted = ({ language, page }: ProcessBlock) =>
      language === 'console' && CONSOLE_PAGES.includes(page)
    const left = blocks.filter(
      (block) => !/^(sh|[jt]s)$/.test(block.language) && !synopsis(block) && !pasted(block),
    )
    expect(left.map(({ place }) => place)).toEqual([])
    expect([groups.length > 20, files.length]).toEqual([true, 6])
  })
})

describe.concurrent('starts and does what it says', { retry: 2 }, () => {
  it.each(groups.filter(isDue).map((group) => [group.place, group] as const))('%s', (_, group) =>
    expectGroup(group),
  )

  it.each(
    files
      .map(groupOfFile)
      .filter(isDue)
      .map((group) => [group.place, group] as const),
  )('%s', (_, group) => expectGroup(group))

  it.each(inLanguage(/^[jt]s$/).map((block) => [block.place, block] as const))(
    '%s',
    async (_, block) => {
      const stage = await stageFor(block.code)
      try {
        if (block.code.includes('certs/')) stage.run(CERTIFICATES)
        for (const { me, script } of scriptsOf(stage, block))
          stage.start({ me, command: `node ${script} ${me}` })
        await expectCode(stage, block)
      } finally {
        await stage.end()
      }
    },
  )
})

/** Writes the program of each member; returns their names. */
function scriptsOf(stage: Stage, { code, name = 'example.mjs', language }: ProcessBlock) {
  const [, printed] = /\bme: (\d)/.exec(code) ?? []
  const listed = /addresses: \[(.*?)\]/.exec(code)?.[1].split(',').length
  const n = listed ?? Number(/\bn: (\d)(?!.*\bme: )/.exec(code)?.[1])
  const positions = printed === undefined ? ['all'] : Array.from({ length: n }, (_, i) => String(i))
  const names = code.includes('process.argv') ? ['a', 'b', 'c'] : positions
  return names.map((me) => {
    const mine = stage.substituted(code, me).replace(/\bme: \d/, `me: ${me}`)
    const script = `${me}-${name.replace(/\.ts$/, '.mjs')}`
    const { code: text } = transformSync(mine, { loader: language as 'js' | 'ts' })
    writeFileSync(join(stage.folder, script), text)
    return { me, script }
  })
}

async function expectCode(stage: Stage, { code, name = '' }: ProcessBlock): Promise<void> {
  const { running } = stage
  if (code.includes('coordinator(')) return expectTerms(stage)
  const says = SAYS[name]
  if (says === undefined) return expectSameLeader(stage)
  const codes = await Promise.all(running.map(({ ended }) => ended))
  expect(codes).toEqual(running.map(() => 0))
  for (const { out } of running) expect(out).toMatch(says)
}

/** One process leads; when it is killed, another one does, with a larger token. */
async function expectTerms(stage: Stage): Promise<void> {
  const { running } = stage
  expect(running.length).toBe(3)
  const terms = () =>
    running.flatMap((process) =>
      [...process.out.matchAll(/^(\w+) leads, token (\d+)$/gm)].map(([, me, token]) => {
        expect(me).toBe(process.me)
        return { process, token: Number(token) }
      }),
    )
  const [first] = await stage.until(() => (terms().length > 0 ? terms() : null))
  await first.process.kill()
  const second = await stage.until(() => terms().find(({ token }) => token > first.token))
  expect(second.process).not.toBe(first.process)
  const tokens = terms().map(({ token }) => token)
  expect(new Set(tokens).size).toBe(tokens.length)
}

/** All processes come to the same leader, or to the same estimate. */
async function expectSameLeader(stage: Stage): Promise<void> {
  const last = ({ out }: Running) => out.match(/id \d+ leads|estimate [\d.]+/g)?.at(-1)
  await stage.until(() => {
    const views = stage.running.map(last)
    return views[0] !== undefined && views.every((view) => view === views[0])
  })
}

async function expectGroup(group: PrintedGroup): Promise<void> {
  const stage = await stageFor(JSON.stringify(group))
  try {
    stage.run(group.before)
    for (const process of group.processes) {
      if (process.variables !== undefined) furnish(stage, group, process)
      stage.start(process)
    }
    if (group.kind === 'coordinator') await expectSuccession(stage)
    else if (group.kind === 'worker') await expectWorkers(stage, group.after)
    else if (group.kind === 'node') await expectSameLeader(stage)
    else {
      const [whole] = stage.running
      expect(await whole.ended, whole.err).toBe(0)
      expect(whole.out).toMatch(/ leads|estimate|"leader":/)
    }
  } finally {
    await stage.end()
  }
}

/** The files that a unit or a container expects on its machine. */
function furnish(stage: Stage, { place }: PrintedGroup, { me, variables }: PrintedProcess): void {
  const own = stage.rootOf(me)
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(own, path)), { recursive: true })
    writeFileSync(join(own, path), text)
  }
  const { CONCLAVE_SECRET_FILE } = variables!
  if (CONCLAVE_SECRET_FILE !== undefined) put(CONCLAVE_SECRET_FILE, 'a secret of this test\n')
  mkdirSync(join(own, 'var/lib/conclave'), { recursive: true, mode: 0o700 })
  const comment =
    textOf(place)
      .match(/^# {3}[{ ].*$/gm)
      ?.map((line) => line.slice(2)) ?? []
  if (!comment.join('').includes('{')) return
  executable(join(own, 'usr/local/bin/billing-job'), JOB)
  if (!existsSync(join(stage.folder, 'certs'))) stage.run(CERTIFICATES)
  cpSync(join(stage.folder, 'certs'), join(own, 'etc/conclave/certs'), { recursive: true })
  const config = stage
    .substituted(comment.join('\n'), me)
    .replace('"me": "a"', `"me": "${me}"`)
    .replace('"/etc', `"${own}/etc`)
  put('etc/conclave/billing.json', config)
}

/** All workers are there, and do what a command that follows them asks for. */
async function expectWorkers(stage: Stage, after: readonly string[]): Promise<void> {
  const { url } = stage.server!
  const workers = async () => {
    const { out } = await shell('workers', url, '--json')
    return JSON.parse(out) as { readonly pid: number; readonly done: number }[]
  }
  const pids = stage.running.map(({ child }) => child.pid)
  await stage.until(async () => {
    const there = (await workers()).map(({ pid }) => pid)
    return pids.every((pid) => there.includes(pid!))
  })
  for (const command of after) {
    stage.start({ me: 'caller', command })
    const caller = stage.running.at(-1)!
    const done = async () => (await workers()).some((worker) => worker.done > 0)
    await stage.until(async () => caller.code !== undefined || (await done()))
    expect(caller.code ?? 0, caller.err).toBe(0)
  }
}
