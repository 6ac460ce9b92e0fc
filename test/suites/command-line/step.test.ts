import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { algorithmNamed } from '../../../src/algorithms/index.ts'
import { snapshotsOf } from '../../../src/check/index.ts'
import { explore, SILENT } from '../../../src/cli/check/explore.ts'
import { main } from '../../../src/cli/main.ts'
import { StepRecorder } from '../../../src/cli/step/recording.ts'
import { explainedSteps, RunMoment } from '../../../src/cli/step/stepped-run.ts'
import { electionRun } from '../../../src/scenario/election/election-run.ts'
import { flagged, prepare } from '../../../src/scenario/index.ts'
import { shell } from '../../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-step-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command line in a terminal in which these keys are pressed. */
async function stepped(line: string, keys: readonly string[]) {
  let out = ''
  const io = {
    ...SILENT,
    out: (text: string) => {
      out += text
    },
    async *keys() {
      yield* keys
    },
  }
  const code = await main(line.split(' '), io)
  const shown = [...out.matchAll(/Step (\d+) of \d+/g)].map(([, step]) => Number(step))
  return { code, out, shown }
}

describe('--step', () => {
  it.each([
    [
      ['\r', ' ', '\x1b[C', 'q'],
      [1, 2, 3],
    ],
    [
      ['\r', '\r', 'b', '\r', 'q'],
      [1, 2, 1, 2],
    ],
    [['b', '\r', '\x1b[D', '\x1b[A', 'q'], [1]],
    [
      ['G', 'b', 'g', '\r', 'q'],
      [3, 2, 1],
    ],
    [['x', '\r', 'q'], [1]],
    [['G', '\r', '\r'], [3]],
    [[], []],
  ])('goes forwards and backwards: %j', async (keys, steps) => {
    const { code, out, shown } = await stepped('check lcr -n 2 --ids same --step', keys)
    expect(shown).toEqual(steps)
    expect(code).toBe(1)
    // The report follows.
    expect(out).toContain('Violated: at most one leader\n  lcr on ring:2')
  })

  it('ends with Ctrl-C at once', async () => {
    const { code, out } = await stepped('run lcr -n 3 --step', ['\r', '\x03', '\r'])
    expect([code, out.includes('id 3 is leader')]).toEqual([130, false])
  })

  it('shows the step, the nodes and the messages in flight', async () => {
    const { out } = await stepped('run lcr --ids 3,1,2 --step', ['\r', 'q'])
    expect(out).toContain(
      [
        'Step 1 of 11, time 0',
        '  Position 0 (id 3) wakes and sends election(id 3) to position 1.',
        '',
        '  position  id  status   leader',
        '> 0         3   unknown  -',
        '  1         1   asleep   -',
        '  2         2   asleep   -',
        '',
        '  in flight:',
        '    election(id 3) from position 0 to 1',
      ].join('\n'),
    )
  })

  it('prints all steps where there is no terminal', async () => {
    const { code, out } = await shell('run', 'lcr', '--ids', '3,1,2', '--step')
    expect(code).toBe(0)
    const steps = [...out.matchAll(/^Step (\d+) of 11/gm)].map(([, step]) => Number(step))
    expect(steps).toEqual(Array.from({ length: 11 }, (_, i) => i + 1))
    expect(out.indexOf('Step 11')).toBeLessThan(out.indexOf('id 3 is leader'))
    const [steps80] = out.split('lcr  ring:3')
    for (const line of steps80.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('goes through a trace', async () => {
    const trace = join(folder, 'broken.jsonl')
    await shell(...`check lcr -n 2 --ids same --trace ${trace}`.split(' '))
    const { code, shown } = await stepped(`run --replay ${trace} --step`, ['\r', '\r', 'q'])
    expect([code, shown]).toEqual([1, [1, 2]])
  })

  it.each([
    ['run lcr --step --json', '--step'],
    ['check lcr -n 3 --step --json', '--step'],
    ['check lcr -n 3 --step --role a --role b', '--step'],
    ['run lcr -n 3 --step --role a --role b', '--step'],
    ['run gossip-average --step', '--step'],
  ])('%s is refused', async (line, flag) => {
    const { code, err } = await shell(...line.split(' '))
    expect([code, err.split(':')[0]]).toEqual([2, flag])
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})

describe('the last step', () => {
  it.each([
    ['lcr', { n: 5 }],
    ['bully', { n: 5, crash: '4@2', recover: '4@30' }],
    ['ring-list', { n: 4, crash: '1@1' }],
    ['hirschberg-sinclair', { n: 4, loss: 0.2 }],
    ['chang-roberts', { n: 5, duplicate: 0.5 }],
    ['itai-rodeh', { n: 4 }],
    ['singh', { n: 5 }],
    ['lcr', { n: 5, values: '3,1,4,1,5' }],
    ['ghs', { n: 6 }],
    ['bully', { n: 4, crash: '3', suspect: '2' }],
  ])('of %s has the state of the result', (name, given) => {
    const definition = algorithmNamed(name)
    const preparation = prepare(given, definition, flagged)
    const recorder = new StepRecorder(preparation.world)
    const { simulation, result } = electionRun(preparation, {
      trace: (event) => recorder.see(event),
      states: recorder.begin,
    })
    const { nodes } = result(simulation.finish())
    const run = recorder.run('run', 'time')
    const moment = new RunMoment(run, run.steps.length)
    const shown = Array.from({ length: run.n }, (_, node) => moment.node(node))
    expect(shown.map(({ status, leader, state, id }) => ({ status, leader, state, id }))).toEqual(
      nodes!.map(({ status, leader, state, id }) => ({ status, leader, state, id })),
    )
  })

  it.each([
    ['chang-roberts', '3,1,2', { crashes: '1', detect: 'off' }],
    ['bully', '3,1,2', { crashes: '1', recoveries: '1', mode: 'untimed' }],
    ['peterson', '3,2,1', { order: 'any', allowWeaker: true }],
  ])('of a counterexample to %s has the states of its last snapshot', async (name, ids, flags) => {
    const options = { reduction: 'auto', states: '100000', memory: '4000', ids, ...flags }
    const { target, model, result } = await explore(name, options, SILENT)
    const { violated } = result
    const run = explainedSteps(violated!, target.world, 'run', 'the end')
    const { states } = snapshotsOf(target.world, model, violated!.transitions).at(-1)!
    const moment = new RunMoment(run, run.steps.length)
    for (const [node, state] of states.entries())
      if (moment.node(node).status !== 'dead') expect(moment.node(node).state).toEqual(state)
  })
})

/** Presses keys in a terminal of its own. */
const IN_TERMINAL = `
import os, pty, select, sys, termios
keys, command = sys.argv[1].encode().decode('unicode_escape').encode(), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0: os.execvp(command[0], command)
output = b''
def read():
    global output
    try: data = os.read(terminal, 65536)
    except OSError: return False
    output += data
    return len(data) > 0
while b'q: quit' not in output and read(): pass
raw = termios.tcgetattr(terminal)[3] & termios.ICANON == 0
os.write(terminal, keys)
while read(): pass
print(output.decode(), raw, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

const python = spawnSync('python3', ['-c', 'import pty, termios']).status === 0

describe.runIf(python)('in a terminal', () => {
  const program = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url))
  it.each([
    ['\\r\\x1b[Cbq', 0, [1, 2, 1]],
    ['\\r\\x03', 130, [1]],
  ])('keys are read without an echo: %s', (keys, code, steps) => {
    const words = ['run', 'lcr', '-n', '3', '--step']
    const { stdout } = spawnSync(
      'python3',
      ['-c', IN_TERMINAL, keys, process.execPath, program, ...words],
      { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
    )
    expect(stdout).toMatch(new RegExp(`True ${code}\\s*$`))
    expect([...stdout.matchAll(/Step (\d+) of/g)].map(([, step]) => Number(step))).toEqual(steps)
  })
})
