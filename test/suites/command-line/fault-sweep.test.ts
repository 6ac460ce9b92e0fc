import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { VERSION } from '../../../src/cli/version.ts'
import { Random } from '../../../src/core/index.ts'
import { PROGRAM } from '../../support/built-program.ts'
import { shell } from '../../support/run-command.ts'

/*
 * Every algorithm with every fault flag of `run` and `check`, and every pair of these, on 1 to 4
 * nodes. Whatever the verdict, the program has to come to one: exit code 70, a stack trace, or an
 * error in several lines is a defect. `npm run test:long` runs all commands; `npm test` runs a
 * sample, another one for each version.
 */

const SAMPLE = 400
/** Commands that are also run as processes. */
const PROCESSES = 3
const DEFINITIONS = [...catalogue, ...aggregations]

/** By the name of a fault its flag with some values, and the flags that it needs. */
type Faults = Readonly<Record<string, readonly string[]>>
type Definition = (typeof DEFINITIONS)[number]

/** The faults of one run: at fixed times. Nodes beyond n make an error of the user. */
const RUN_FAULTS: Faults = {
  crash: ['--crash 0', '--crash 1@1', '--crash 0@2,2@3', '--crash 50%@1', '--crash 100%@2'],
  recover: [
    '--crash 0@1 --recover 0@4',
    '--crash 0@1,1@2 --recover 0@2,1@3',
    '--crash 0@2 --recover 0@3:id=9',
    '--crash 0@2 --recover 0@5:amnesia',
    '--crash 0@1,0@6 --recover 0@3,0@9',
  ],
  retire: ['--retire 0@1', '--retire 1@5,0@9'],
  detect: ['--detect off', '--detect 3', '--detect 0'],
  suspect: ['--suspect 0@1..4', '--suspect 1'],
  loss: ['--loss 0.3', '--loss 1'],
  duplicate: ['--duplicate 0.3', '--duplicate 1'],
  partition: ['--partition 0/1@1..5', '--partition 0/1,2@2'],
  cut: ['--cut 0-1@1..4', '--cut 0to1', '--cut 1to0@2'],
  pause: ['--pause 0@1..5', '--pause 1'],
  drift: ['--drift 0.3'],
  disk: ['--disk uniform:1:3', '--disk constant:2'],
  tamper: ['--tamper drop:1', '--tamper drop:2@1.5', '--tamper arrive:1@4.5'],
  mobility: ['--mobility 0.2'],
  corrupt: ['--corrupt 1', '--corrupt 7'],
  again: ['--again 12'],
  wake: ['--wake 0', '--wake 0@1', '--wake all', '--wake rate:0.5'],
  order: ['--order any', '--delay uniform:1:5', '--delay exponential:2 --order any'],
  timing: ['--timing sync', '--timing async', '--timing cycles'],
  ids: ['--ids same', '--ids decreasing'],
}

/** The faults of every run: at any time. */
const CHECK_FAULTS: Faults = {
  crash: ['--crash 0', '--crash 1'],
  crashes: ['--crashes 1', '--crashes 2'],
  recoveries: ['--crashes 1 --recoveries 1', '--crashes 2 --recoveries 2'],
  amnesia: ['--crashes 1 --amnesia 1', '--crashes 2 --recoveries 1 --amnesia 1'],
  reappear: ['--crashes 1 --recoveries 1 --reappear'],
  detect: ['--detect off', '--detect 2'],
  losses: ['--losses 1'],
  duplicates: ['--duplicates 1'],
  links: ['--links lossy'],
  cuts: ['--cuts 1', '--cuts 1 --one-way'],
  partitions: ['--partitions 1', '--partitions 1 --one-way'],
  pauses: ['--pauses 1 --mode clocked:2'],
  drift: ['--drift 1 --mode clocked:2'],
  mode: ['--mode patient', '--mode clocked:2', '--mode clocked:any', '--mode untimed'],
  corrupt: ['--corrupt 1'],
  order: ['--order any'],
  wake: ['--wake all', '--wake 0', '--wake any'],
  ids: ['--ids same', '--ids all'],
  worst: ['--worst messages', '--worst time'],
  reduction: ['--reduction off', '--exact'],
}

const RUN_LIMITS = '--allow-weaker --max-messages 2000 --until 60'
const CHECK_LIMITS = '--allow-weaker --states 200 --seconds 0.2 --walk 3 --threads 1'

let folder: string
beforeAll(() => {
  // A defect is shown with its stack trace.
  vi.stubEnv('CONCLAVE_DEBUG', '1')
  folder = mkdtempSync(join(tmpdir(), 'conclave-sweep-'))
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** Words of commands, drawn when they are wanted. */
type Commands = (() => string[])[]

function commands({ name }: Definition, random: Random): Commands {
  return [
    ...sizedPairs(RUN_FAULTS, random).map(({ n, faults }) => () => {
      const output = [[], ['--json'], ['--step'], ['--nodes'], ['--svg', join(folder, 'a.svg')]]
      const network = faults.includes('mobility') ? ['-t', `geometric:${n}:1.5`] : ['-n', `${n}`]
      const seed = random.below(1000)
      const words = `${RUN_LIMITS} --seed ${seed} ${drawn(RUN_FAULTS, faults, random)}`
      return ['run', name, ...network, ...split(words), ...oneOf(output, random)]
    }),
    ...sizedPairs(CHECK_FAULTS, random).map(({ n, faults }) => () => {
      const output = [[], ['--json'], ['--step'], ['--trace', join(folder, 'a.jsonl')]]
      const words = `${CHECK_LIMITS} ${drawn(CHECK_FAULTS, faults, random)}`
      return ['check', name, '-n', `${n}`, ...split(words), ...oneOf(output, random)]
    }),
  ]
}

/** No fault and each of them with 1 to 4 nodes, every two of them with a number of these. */
function sizedPairs(
  faults: Faults,
  random: Random,
): { readonly n: number; readonly faults: readonly string[] }[] {
  const names = Object.keys(faults)
  const single = [[], ...names.map((name) => [name])]
  const double = names.flatMap((one, i) => names.slice(i + 1).map((two) => [one, two]))
  return [
    ...single.flatMap((faults) => [1, 2, 3, 4].map((n) => ({ n, faults }))),
    ...double.map((faults) => ({ n: 1 + random.below(4), faults })),
  ]
}

function drawn(faults: Faults, names: readonly string[], random: Random): string {
  return names.map((name) => oneOf(faults[name], random)).join(' ')
}

function oneOf<T>(all: readonly T[], random: Random): T {
  return all[random.below(all.length)]
}

function split(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}

const STACK_FRAME = /^\s+at .*:\d+:\d+\)?$/m

/** What is wrong with the end of a command; null if it ended with a verdict or a refusal. */
async function problemOf(words: readonly string[]): Promise<string | null> {
  const { code, out, err } = await shell(...words).catch((error: Error) => {
    return { code: -1, out: '', err: String(error.stack) }
  })
  const line = `conclave ${words.join(' ')}: exit code ${code}\n${err}`
  if (![0, 1, 2, 3].includes(code) || STACK_FRAME.test(err + out)) return line
  if (code === 2 && (out !== '' || !/^[^\n]+\n$/.test(err))) return `${line}${out}`
  // Mistakes of handlers are told to their authors: of the catalogue, these are not the users.
  if (err.startsWith(`${words[1]}: `)) return line
  return null
}

async function expectNoProblems(commands: Commands): Promise<void> {
  const problems: string[] = []
  for (const command of commands) {
    const problem = await problemOf(command())
    if (problem !== null) problems.push(problem)
  }
  expect(problems.slice(0, 20), `${problems.length} of ${commands.length} commands`).toEqual([])
}

const random = Random.from(0).split(VERSION)

it.runIf(process.env.LONG_TESTS).each(DEFINITIONS.map((it) => [it.name, it] as const))(
  '%s comes to a verdict under every fault',
  (_, definition) => expectNoProblems(commands(definition, random)),
  600_000,
)

it.skipIf(process.env.LONG_TESTS)('algorithms come to a verdict under every fault', () => {
  const all = DEFINITIONS.flatMap((definition) => commands(definition, random))
  return expectNoProblems(Array.from({ length: SAMPLE }, () => oneOf(all, random)))
})

it('the built program ends as its functions do', async () => {
  const all = DEFINITIONS.flatMap((definition) => commands(definition, random))
  for (let i = 0; i < PROCESSES; i++) {
    const words = oneOf(all, random)()
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words])
    expect([status, String(stderr)], words.join(' ')).toEqual(await codeAndError(words))
  }
})

async function codeAndError(words: readonly string[]): Promise<[number, string]> {
  const { code, err } = await shell(...words)
  return [code, err]
}
