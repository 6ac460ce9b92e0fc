import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type ExperimentJob, jobsOf, readExperiment } from '../../experiment/index.ts'
import type { Work } from '../../jobs/executor.ts'
import { bundledCode } from './code-bundle.ts'
import { type ConfinedLimits, openConfined } from './confined-work.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-confined-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** LCR with something at the beginning of the handler. */
function election(statement: string, before = ''): string {
  return `import { algorithm, left, message, uid } from 'conclave'
${before}
const ELECTION = message({ id: uid })
export default algorithm({
  name: 'own',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION },
  state: {},
  wakes: true,
  start(my, net) { net.send(left, ELECTION, { id: my.id }) },
  on: {
    ELECTION(my, { id }, net) {
      ${statement}
      if (id > my.id) net.send(left, ELECTION, { id })
      if (id === my.id) net.lead()
    },
  },
})
`
}

const JOB_THREAD = new URL('../../../dist/cli/jobs/job-thread.js', import.meta.url).href

function workOf(path: string): Work {
  const sources = { files: { [path]: path }, document: null }
  return { kind: 'experiment', given: { sources, quick: false, checked: true } }
}

function jobsFor(path: string): ExperimentJob[] {
  const document = { base: { algorithm: path, ids: 'decreasing' }, sweep: { n: '2..5' } }
  return jobsOf(readExperiment(document, (name) => name))
}

async function confined(path: string, limits?: ConfinedLimits): Promise<unknown[]> {
  const work = await openConfined(workOf(path), await bundledCode([path]), { parallel: 2 }, limits)
  try {
    return await Promise.all(jobsFor(path).map((job) => work.execute(job)))
  } finally {
    work.close()
  }
}

it('gives the rows of a thread', async () => {
  file('other.ts', 'export const twice = (x: number) => 2 * x')
  const path = file('lcr.ts', election('', "import { twice } from './other.ts'\ntwice(2)"))
  const { work } = await import(JOB_THREAD)
  const batch = { study: 0, work: workOf(path), inputs: jobsFor(path), parallel: 1 }
  const { outputs } = await work(batch)
  expect(outputs).toHaveLength(4)
  expect(await confined(path)).toEqual(outputs)
})

it('tells mistakes with their places, as a thread does', async () => {
  const path = file('wrong.ts', election('JSON.parse(`{` + id)'))
  const { work } = await import(JOB_THREAD)
  const batch = { study: 1, work: workOf(path), inputs: jobsFor(path), parallel: 1 }
  const { error } = await work(batch)
  expect(error[0]).toMatch(/wrong\.ts:13:\d+$/)
  await expect(confined(path)).rejects.toMatchObject({ name: 'UsageError', parts: error })
})

/** A bundle that was not made by this program. */
function forged(path: string, code: string, modules = ['conclave']): Uint8Array {
  const exported = 'return { default: __conclave__.conclave.lcr }'
  const script = `(function (__conclave__) { ${code}\n${exported} })`
  const about = { path, shown: path, modules }
  const file = { ...about, code: script, mappings: '', sources: [] }
  return Buffer.from(JSON.stringify({ files: [file] }))
}

const open = (code: Uint8Array, limits?: ConfinedLimits) =>
  openConfined(workOf('/forged.ts'), code, { parallel: 1 }, limits)

it('has no way out for code that was not compiled here', async () => {
  const ways = [
    'process.exit',
    'process.stdin',
    'process.binding("fs")',
    'process.getBuiltinModule("node:fs")',
    'process.constructor.constructor("return 1")()',
    'require("node:fs")',
    'module',
    'eval("1")',
    '(0, eval)("1")',
    'Function("return 1")()',
    '(() => {}).constructor("return 1")()',
    '(async () => {}).constructor("return 1")()',
    '__conclave__.conclave.lcr.constructor.constructor("return 1")()',
    '__conclave__.conclave.join',
    '__conclave__["conclave/engines"].Member',
    '__conclave__["conclave/engines"].tcpTransport',
    'setTimeout.constructor("return 1")()',
    'fetch',
    'WebSocket',
    'Worker',
    'WebAssembly',
    'console._stderr',
    'console.constructor.constructor("return 1")()',
    '(() => { Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getThis()); ' +
      'const known = [undefined, null, globalThis]; ' +
      'const found = new Error().stack.find((one) => !known.includes(one)); ' +
      'Error.prepareStackTrace = undefined; return found })()',
  ]
  const attempts = ways.map((way) => `[${JSON.stringify(way)}, () => ${way}]`)
  const code = `const found = []
    for (const [name, way] of [${attempts}])
      try { if (way() !== undefined) found.push(name) } catch {}
    throw new Error('found: ' + found)`
  const modules = ['conclave', 'conclave/engines']
  await expect(open(forged('/forged.ts', code, modules))).rejects.toThrow(/found:\.$/)
})

it('cannot import modules later', async () => {
  const code = "import('node:fs').then(() => { throw new Error('escaped') })"
  const [job] = jobsFor('/forged.ts')
  // The promise fails at some moment while the code is loaded, or afterwards.
  const failing = async () => {
    const work = await open(forged('/forged.ts', code))
    try {
      for (let tries = 0; tries < 1000; tries++) await work.execute(job)
    } finally {
      work.close()
    }
  }
  await expect(failing()).rejects.toThrow(/dynamic import callback/)
})

it('keeps a failure that arrives together with an output', async () => {
  const code = `const { lcr } = __conclave__.conclave
    const start = (my, net) => { import('node:fs'); lcr.start(my, net) }
    return { default: { ...lcr, start } }`
  const work = await open(forged('/forged.ts', code))
  const [job] = jobsFor('/forged.ts')
  const failing = async () => {
    for (let tries = 0; tries < 1000; tries++) {
      // This process reads nothing for a while after it has asked.
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200))
      await work.execute(job)
    }
  }
  await expect(failing()).rejects.toThrow(/dynamic import callback/)
  work.close()
})

it('ends with its limits of time and memory', async () => {
  const limits = { memoryMB: 64, seconds: 1 }
  const endless = forged('/forged.ts', 'for (;;);')
  await expect(open(endless, limits)).rejects.toThrow('did not finish a job within 1 s')
  const greedy = forged('/forged.ts', 'for (const all = [];;) all.push(new Array(1e5).fill(all))')
  await expect(open(greedy, { memoryMB: 64, seconds: 100 })).rejects.toThrow(/64 MB of memory/)
})

it('refuses what is no bundle, and modules that are not offered', async () => {
  for (const text of ['', '{}', '{"files":[{}]}', '{"files":[]}'])
    await expect(open(Buffer.from(text))).rejects.toThrow('The code of this study cannot be read.')
  const path = file(
    'fs.ts',
    election(
      '',
      "import { readFileSync } from 'node:fs'\nexport const read = () => readFileSync('x')",
    ),
  )
  await expect(bundledCode([path])).rejects.toThrow(/imports "node:fs", which workers do not offer/)
})
