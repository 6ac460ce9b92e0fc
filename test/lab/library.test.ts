import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, createLogger, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LabBench, openBench } from './browser.ts'

/** The most that a web page loads for one simulation, compressed. */
const SIMULATION_BYTES_MAX = 150_000

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What users call, each function in a small program. */
const PROGRAMS = `
import {
  aggregations, algorithm, check, experiment, join, lcr, left, message, prove, simulate, uid,
} from 'conclave'

const ELECTION = message({ id: uid })
const mine = algorithm({
  name: 'mine',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION },
  state: {},
  wakes: true,
  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
  },
  on: {
    ELECTION(my, { id }, net) {
      if (id > my.id) net.send(left, ELECTION, { id })
      if (id === my.id) net.lead()
    },
  },
})
const own = { ...mine, name: 'another' }
const sweep = { sweep: { n: [4, 8, 16] }, repeat: 2 }

/** What works wherever the library runs. */
export const everywhere = {
  'a simulation': () => simulate(lcr, { n: 8, seed: 3, crash: [{ node: 1, at: 4 }] }),
  'a simulation of what has a name': () => simulate('raft', { n: 5 }),
  'a simulation of an own algorithm': () => simulate(mine, { n: 5 }),
  'an aggregation in cycles': () => simulate('gossip-average', { n: 1000, timing: 'cycles' }),
  'an aggregation with messages': () => simulate(aggregations[1], { n: 20, until: 5 }),
  'an exploration': () => check(lcr, { n: 3, crashes: 1 }),
  'an exploration of an own algorithm': () => check(own, { n: 3 }),
  'a proof': () => prove(lcr, { explore: false }),
  'an experiment': () => experiment([lcr, mine], sweep),
  'a wrong option': () => simulate(lcr, { n: 8, sede: 3 }),
}

const inNodeAlone = {
  'a network in a file': () => experiment(lcr, { topology: 'file:network.txt' }),
  'a member of a cluster': () => join(lcr, { me: 0, addresses: ['127.0.0.1:7001'] }),
  'an experiment in threads': () => experiment(lcr, { ...sweep, threads: 2 }),
}

export async function outcome(name) {
  try {
    return JSON.stringify(await { ...everywhere, ...inNodeAlone }[name]())
  } catch (error) {
    return String(error)
  }
}
`
interface Programs {
  readonly everywhere: Readonly<Record<string, unknown>>
  outcome(name: string): Promise<string>
}

let folder: string
let bench: LabBench
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-page-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/conclave'))
  bench = await openBench()
})
afterAll(async () => {
  await bench.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Bundles a program as users of Vite do; the files, and what Vite warns of. */
async function bundled(name: string, code: string) {
  const path = join(folder, `${name}.js`)
  writeFileSync(path, code)
  const warnings: string[] = []
  const customLogger = createLogger('silent')
  customLogger.warn = (text) => warnings.push(text)
  const rolldownOptions = { input: path, output: { entryFileNames: '[name].js' } }
  const { output } = (await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    customLogger,
    build: { write: false, rolldownOptions },
  })) as Rolldown.RolldownOutput
  const files = output.map((file) => ({
    name: file.fileName,
    text: file.type === 'chunk' ? file.code : String(file.source),
  }))
  return { files, warnings }
}

describe('the library in a web page', () => {
  it('takes little for a simulation', async () => {
    const { files, warnings } = await bundled(
      'simulation',
      `import { lcr, simulate } from 'conclave'
       document.title = simulate(lcr, { n: 8 }).leader.id`,
    )
    expect(warnings).toEqual([])
    expect(files.map(({ name }) => name)).toEqual(['simulation.js'])
    const bytes = gzipSync(files[0].text).length
    expect(bytes).toBeLessThan(SIMULATION_BYTES_MAX)
    const page = readFileSync(join(ROOT, 'docs/api.md'), 'utf8')
    expect(Number(/adds about (\d+) kB/.exec(page)?.[1])).toBeCloseTo(bytes / 1000, -1)
  })

  it('has the engines, without the members of clusters', async () => {
    const { files, warnings } = await bundled(
      'engines',
      `import { lcr } from 'conclave'
       import { prepare, resultOf, simulationOf } from 'conclave/engines'
       const { world, conditions, properties } = prepare({ n: 3 }, lcr, (field) => field)
       const run = simulationOf(world, conditions, properties)
       document.title = resultOf(run, run.finish()).messages.total`,
    )
    expect(warnings).toEqual([])
    expect(files.map(({ text }) => text).join()).not.toMatch(/createServer|node:net/)
  })

  it('gives the results that it gives in Node.js, and refuses what needs Node.js', async () => {
    writeFileSync(join(folder, 'programs.js'), PROGRAMS)
    const { files, warnings } = await bundled(
      'page',
      `import { outcome } from './programs.js'
       window.outcome = outcome`,
    )
    expect(warnings).toEqual([])
    const { page, errors } = await bench.page()
    await page.route('**', (route) => {
      const path = new URL(route.request().url()).pathname.slice(1)
      if (path === '')
        return route.fulfill({
          contentType: 'text/html',
          body: '<link rel="icon" href="data:,"><script type="module" src="page.js"></script>',
        })
      const body = files.find(({ name }) => name === path)?.text
      return body === undefined
        ? route.fulfill({ status: 404 })
        : route.fulfill({ contentType: 'text/javascript', body })
    })
    await page.goto('http://library.test/')
    const inPage = (name: string): Promise<string> =>
      page.evaluate((program) => (window as never as Programs).outcome(program), name)
    const node: Programs = await import(pathToFileURL(join(folder, 'programs.js')).href)
    const names = Object.keys(node.everywhere)
    expect(names).toContain('an experiment')
    for (const name of names) expect(await inPage(name), name).toBe(await node.outcome(name))
    const refusals = {
      'a network in a file':
        'UsageError: topology: file:network.txt: files cannot be read here. Write the links as edges:LIST.',
      'a member of a cluster': 'UsageError: join: a browser cannot be a member. Use Node.js.',
      'an experiment in threads':
        'UsageError: threads: a browser has one thread for it. Leave the option out.',
    }
    for (const [name, refusal] of Object.entries(refusals)) expect(await inPage(name)).toBe(refusal)
    expect(errors).toEqual([])
  })
})
