import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONSOLE_PAGES } from '../../support/console-blocks.ts'
import {
  executable,
  JOB,
  prepareStages,
  type Running,
  removeStages,
  type Stage,
  stageFor,
} from '../../support/example-stage.ts'
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

/** The commands of docs/coordinator.md that make certificates, which code with TLS relies on. */
const [CERTIFICATES] = /^mkdir -m 700 certs[\s\S]*?^done$/m.exec(textOf('docs/coordinator.md'))!

/** What code prints that has more to say than who leads. */
const SAYS: Readonly<Record<string, RegExp>> = {
  'three-members.mjs': /^id 3 leads\n(id 3 leads\n)*id 2 leads\n$/,
  // 90 - 5 is the most.
  'elected-by.mjs': /^id 1 leads, which has the most charge left\n$/,
  // 1.6 / 4, and 2.8 / 4 with 1.3 in place of 0.1.
  'average-load.mjs': /^the average load was 0.40 and is 0.70\n$/,
  'one-liners.mjs': new RegExp(
    '^id 3 leads after 11 messages\n1972 states, every property holds: true\n' +
      "\\[\n? *'[\\d.]+ messages on 8 nodes'[\\s\\S]*\\]\nthis member leads: true\n$",
  ),
}

const blocks = processBlocks()
const inLanguage = (form: RegExp) => blocks.filter(({ language }) => form.test(language))
const codes = inLanguage(/^[jt]s$/)
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

/** With its place as the name of a test. */
const placed = <T extends { readonly place: string }>(one: T) => [one.place, one] as const

beforeAll(prepareStages)
afterAll(removeStages)

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
    expect([groups.length > 20, files.length > 5]).toEqual([true, true])
  })
})

describe.concurrent('starts and does what it says', { retry: 2 }, () => {
  it.each(groups.filter(isDue).map(placed))('%s', (_, group) => expectGroup(group))

  it.each(files.map(groupOfFile).filter(isDue).map(placed))('%s', (_, group) => expectGroup(group))

  it.each(codes.filter(({ name = '' }) => SAYS[name] === undefined).map(placed))('%s', (_, block) =>
    expectCode(block),
  )
})

// Times decide what these print: they have the machine for themselves.
describe('starts all members in one process', { retry: 2 }, () => {
  it.each(codes.filter(({ name = '' }) => SAYS[name] !== undefined).map(placed))('%s', (_, block) =>
    expectCode(block),
  )
})

async function expectCode(block: ProcessBlock): Promise<void> {
  const stage = await stageFor(block.code)
  try {
    if (block.code.includes('certs/')) stage.run([CERTIFICATES])
    for (const { me, script } of scriptsOf(stage, block))
      stage.start({ me, command: `node ${script} ${me}` })
    await expectOutput(stage, block)
  } finally {
    await stage.end()
  }
}

/**
 * Writes the program of each member; returns their names. Code that has the name of one member is
 * completed for the others, and gets a storage folder for each.
 */
function scriptsOf(stage: Stage, { code, name = 'example.mjs', language }: ProcessBlock) {
  return namesIn(code).map((me) => {
    const mine = stage
      .substituted(code, me)
      .replace(/\bme: \d/, `me: ${me}`)
      .replace(/\bme: '\w+'/, `me: '${me}'`)
      .replace(/\bstorage: '(.*?)'/, `storage: '$1-${me}'`)
    const script = `${me}-${name.replace(/\.ts$/, '.mjs')}`
    const { code: text } = transformSync(mine, { loader: language as 'js' | 'ts' })
    writeFileSync(join(stage.folder, script), text)
    return { me, script }
  })
}

/** The members that code is started for: those it gets as an argument, or all that it lists. */
function namesIn(code: string): string[] {
  if (/process\.argv|\bme: '/.test(code)) return ['a', 'b', 'c']
  if (!/\bme: \d/.test(code)) return ['all']
  const listed = /addresses: \[(.*?)\]/.exec(code)?.[1].split(',').length
  const n = listed ?? Number(/\bme: \d, n: (\d)/.exec(code)?.[1])
  return Array.from({ length: n }, (_, position) => String(position))
}

async function expectOutput(stage: Stage, { code, name = '' }: ProcessBlock): Promise<void> {
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
  if (!existsSync(join(stage.folder, 'certs'))) stage.run([CERTIFICATES])
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
