import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gradeFiles } from '../../../src/cli/grade/grade-files.ts'
import { ExecutionReport } from '../../../src/cli/jobs/execution-report.ts'
import { COMMANDS } from '../../../src/cli/main.ts'
import { VERSION } from '../../../src/cli/version.ts'
import type { Executor } from '../../../src/jobs/executor.ts'
import { PROGRAM } from '../../support/built-program.ts'
import { shell } from '../../support/run-command.ts'

const ALGORITHMS = new URL('../../../dist/api/subpaths/algorithms.js', import.meta.url)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-exits-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a line of the shell, in which $C is the built program. */
function script(line: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const C = `${process.execPath} ${PROGRAM}`
  const child = spawn('bash', ['-c', line], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, C, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    err += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

describe.skipIf(process.platform === 'win32')('a defect of Conclave', () => {
  /** Code that runs before the program, in every thread and process of it. */
  const planted = (name: string, code: string): NodeJS.ProcessEnv => {
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, code)
    return { NODE_OPTIONS: `--import ${pathToFileURL(file)}` }
  }
  const faulty = (where: string) =>
    planted(
      `faulty-${where}`,
      `import { isMainThread } from 'node:worker_threads'
      import { lcr } from '${ALGORITHMS}'
      if (${where}) lcr.start = () => { throw new TypeError('planted\\nmistake') }`,
    )
  const expectDefect = ({ code, out, err }: Ended, command: string) => {
    expect(err).toMatch(
      new RegExp(
        `${command}: this is a defect of Conclave ${VERSION}, not a verdict: .*\\. Report it to .*\\n$`,
      ),
    )
    expect({ code, out, lines: err.split('\n').length }).toEqual({ code: 70, out: '', lines: 2 })
  }

  it.each([
    ['run lcr -n 3 --json'],
    ['run lcr -n 3 --step'],
    ['check lcr -n 3'],
    ['check lcr -n 3 --ids all --json'],
    ['prove lcr --json'],
    ['experiment lcr --sweep n=2,3 --json'],
  ])('in %s is exit code 70 with one line', async (line) => {
    expectDefect(await script(`$C ${line}`, faulty('true')), line.split(' ')[0])
  })

  it('in a thread is one, too', async () => {
    const line = '$C experiment lcr --sweep n=500..520 --repeat 20 --threads 2'
    expectDefect(await script(line, faulty('!isMainThread')), 'experiment')
  })

  it('in a process of a cluster is one, too', async () => {
    const { code, out, err } = await script('$C cluster lcr -n 2', faulty('true'))
    expect({ code, out }).toEqual({ code: 70, out: '' })
    expect(err).toMatch(/cluster: this is a defect of Conclave.* position \d ended with exit code/)
    expect(err).not.toMatch(/^\s+at /m)
  })

  it.each([
    ['an error', `throw new TypeError('planted')`],
    ['a rejection', `Promise.reject(new TypeError('planted'))`],
  ])('is also %s that nobody waits for', async (name, code) => {
    // A busy machine takes its time to load the program, which listens for defects from then on.
    const ended = await script(
      '$C lab --no-open --port 0 > /dev/null',
      planted(
        name.slice(2),
        `const look = setInterval(() => {
          if (process.listenerCount('unhandledRejection') === 0) return
          clearInterval(look)
          ${code}
        }, 20)`,
      ),
    )
    expectDefect(ended, 'conclave')
  })

  it('while a file is graded is no verdict on the file', async () => {
    const example = fileURLToPath(new URL('../../../examples/smallest-first.ts', import.meta.url))
    const thrown = (name: string, place: string, details = {}) => ({
      ...{ name, message: 'planted', details, cause: null },
      stack: `${name}: planted\n    at explore (${place}:1:2)\n    at next (conclave-engines.js:3:4)`,
    })
    const results = [
      { failed: thrown('TypeError', 'conclave-engines.js') },
      {
        failed: thrown('HandlerError', 'conclave-engines.js', {
          ...{ handler: 'start', position: 0, id: 1, time: 1, problem: 'it threw.', hint: '' },
        }),
      },
      { failed: thrown('TypeError', 'elsewhere') },
      { stopped: 'ended', progress: { doing: 'starting', violated: [] } },
      { stopped: 'ended', progress: { doing: 'exploring ring:2', violated: [] } },
    ]
    const executor: Executor = {
      async execute(_work, jobs, listener) {
        let index = 0
        for await (const _ of jobs) {
          listener.done(index, { result: results[index], layers: [] } as never)
          index++
        }
      },
      close: async () => {},
    }
    const io = { err: () => {}, progress: false }
    const report = new ExecutionReport(io, null, false)
    const grades = await gradeFiles(
      results.map(() => ({ file: example, wanted: null, root: null })),
      {
        reference: null,
        require: [],
        properties: [],
        allowOwnProblem: false,
        rubric: null,
        seconds: 1,
        memoryMB: 1,
        types: false,
      },
      { executor, remote: false, report },
    )
    expect(grades.map(({ verdict, defect }) => [verdict, defect?.message ?? null])).toEqual([
      ['none', 'planted'],
      ['wrong', null],
      ['wrong', null],
      ['none', 'the process that grades a file did not start'],
      ['wrong', null],
    ])
  })

  it('has a stack trace with CONCLAVE_DEBUG', async () => {
    const { code, err } = await script('$C run lcr -n 3', {
      ...faulty('true'),
      CONCLAVE_DEBUG: '1',
    })
    expect(code).toBe(70)
    expect(err).toMatch(/^TypeError: planted$/m)
    expect(err).toMatch(/^\s+at .*faulty-true\.mjs:\d+/m)
  })

  it.each([
    ['fails later', `queueMicrotask(() => { throw new TypeError('mine') })`],
    ['pretends', `throw Object.assign(new Error('mine'), { name: 'HandlerError' })`],
  ])('is not an own file that %s: exit code 2, with its place', async (name, line) => {
    const file = `${name.replace(' ', '-')}.js`
    writeFileSync(join(folder, file), `export { lcr } from 'conclave/algorithms'\n${line}`)
    const { code, out, err } = await script(`$C run ${file} --no-types`)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(new RegExp(`^${file}:2:\\d+: .*mine\\.\n`))
    expect(err).not.toMatch(/^\s+at /m)
  })
})

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  it.each([
    ['list'],
    ['--help'],
    ['run lcr --json'],
    ['check lcr -n 3 --json'],
    ['experiment lcr --sweep n=2,3 --json'],
  ])('for the output of %s is exit code 2', async (line) => {
    const err = 'standard output cannot be written: no space is left on the disk\n'
    expect(await script(`$C ${line} > /dev/full`)).toEqual({ code: 2, out: '', err })
  })

  it.each([
    ['run lcr --trace /dev/full', false],
    ['run lcr --svg /dev/full', false],
    ['run gossip-average -n 9 --svg /dev/full', false],
    ['lab --export /dev/full', false],
    // What took long to find out is not lost.
    ['check lcr -n 3 --trace /dev/full --json', true],
    ['check lcr -n 3 --svg /dev/full --json', true],
  ])('for a file of %s is exit code 2', async (line, reports) => {
    const { code, out, err } = await shell(...line.split(' '))
    expect(code).toBe(2)
    expect(err).toMatch(/^--\S+: \/dev\/full cannot be written: no space .*It is not saved.*\n$/)
    if (reports) expect(() => JSON.parse(out)).not.toThrow()
    else expect(out).toBe('')
  })

  /** A small disk of its own, where the system allows it. */
  const SMALL_DISK = `mkdir -p disk && mount -t tmpfs -o size=40k tmpfs disk`
  const allowed = ['-c', `unshare -rm mount -t tmpfs tmpfs ${tmpdir()}`]
  const isolates = spawnSync('bash', allowed).status === 0

  it.skipIf(!isolates)('loses no run of an experiment', async () => {
    const sweep = '$C experiment lcr --sweep n=2..400 --threads 1 --out disk/x'
    const { out, err } = await script(`unshare -rm bash -c '
      ${SMALL_DISK}
      ${sweep}; echo $?
      ${sweep} --resume; echo $?
      # The last line may be torn.
      kept=$(($(grep -c "}$" disk/x/journal.jsonl) - 1)); echo kept $kept
      mount -o remount,size=4m disk
      ${sweep} --resume > report; echo $?
      grep -c . disk/x/results.csv; ls disk/x'`)
    const [first, second, third] = err.split('\n')
    const [, saved] =
      /^--out: disk\/x cannot be written: no space .* (\d+) runs are saved in .*add --resume/.exec(
        first,
      )!
    expect(second).toMatch(new RegExp(`^--out: .* no space .* ${saved} runs are saved`))
    expect(third).toBe('')
    const [...words] = out.split(/\s+/)
    expect(words.slice(0, 6)).toEqual(['2', '2', 'kept', `${Number(saved)}`, '0', '400'])
    expect(words).toContain('report.html')
    expect(words).not.toContain('journal.jsonl')
  })

  it.skipIf(!isolates)('leaves no part of what new writes', async () => {
    const { out } = await script(`unshare -rm bash -c '
      ${SMALL_DISK}; head -c 36864 /dev/zero > disk/fill
      $C new disk/my-election; echo $?
      find disk -type f'`)
    expect(out.split('\n')).toEqual(['2', 'disk/fill', ''])
  })
})

describe.skipIf(process.platform === 'win32')('a closed pipe', () => {
  it.each([['list'], ['run lcr -n 999 --nodes'], ['run lcr -n 50 --step']])(
    'is no error of %s',
    async (line) => {
      expect(await script(`set -o pipefail; $C ${line} | head -1 > first`)).toEqual({
        ...{ code: 0, out: '', err: '' },
      })
    },
  )

  it('for errors keeps the exit code', async () => {
    const { out } = await script(
      '{ sleep 0.1; $C run nothing; echo $? > code; } 2>&1 | true; while [ ! -s code ]; do sleep 0.05; done; cat code',
    )
    expect(out).toBe('2\n')
  })
})

it('every list of exit codes in the help has that of a defect', async () => {
  const helps = await Promise.all(
    [[], ...Object.keys(COMMANDS).map((name) => [name])].map((words) => shell(...words, '--help')),
  )
  const lists = helps.flatMap(({ out }) => out.match(/^Exit codes: [\s\S]*?\.(?=\n\n|\n$)/gm) ?? [])
  expect(lists.length).toBeGreaterThanOrEqual(3)
  for (const list of lists)
    expect(list.replace(/\s+/g, ' ')).toMatch(/; 70: .*; 130: interrupted\./)
})
