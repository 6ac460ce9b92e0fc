import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, runnerImport } from 'vite'
import { hasProse, PROSE } from '../scripts/prose.js'
import { catalogueCode } from './catalogue-code.js'
import { lessonEntry, parseLesson } from './src/lessons/format/parse-lesson.ts'

const PAGE = fileURLToPath(new URL('../dist/lab/', import.meta.url))

/** The modules of other packages that the page and its workers contain. */
const modules = new Set()

const gatherModules = {
  name: 'gather-modules',
  generateBundle(_, bundle) {
    for (const { moduleIds = [] } of Object.values(bundle))
      for (const id of moduleIds)
        if (id.includes('/node_modules/')) modules.add(id.replace(/^\0|\?.*$/g, ''))
  },
}

/** scripts/build.js takes from this file whose licences to ship, and removes it. */
const listModules = {
  name: 'list-modules',
  apply: 'build',
  closeBundle() {
    writeFileSync(`${PAGE}modules.json`, JSON.stringify([...modules]))
  },
}

const LESSONS = fileURLToPath(new URL('../docs/lessons/', import.meta.url))

/** Lessons are read when the page is built: what the list shows of one, or all of it. */
const lessons = {
  name: 'lessons',
  enforce: 'pre',
  load(id) {
    const [path, want] = id.split('?')
    if (want !== 'entry' && want !== 'lesson') return null
    const lesson = parseLesson(readFileSync(path, 'utf8'), relative(LESSONS, path))
    const data = want === 'entry' ? lessonEntry(lesson) : lesson
    return { code: `export default ${JSON.stringify(data)}`, moduleType: 'js', map: null }
  },
}

const SETTINGS = fileURLToPath(new URL('src/engine/algorithm-settings.ts', import.meta.url))

/** The algorithms and networks as data, so that a page that lists them need not load the engine. */
const engineOffer = {
  name: 'engine-offer',
  resolveId: (id) => (id === 'virtual:engine-offer' ? '\0engine-offer' : null),
  async load(id) {
    if (id !== '\0engine-offer') return null
    const { module } = await runnerImport(SETTINGS, { configFile: false, logLevel: 'error' })
    const json = JSON.stringify(JSON.stringify(module.offer()))
    return `export const offer = JSON.parse(${json})`
  },
}

/**
 * Modules that the worker of rings imports but does not need, and what they export. Its definitions
 * are of the catalogue: the whole engine and the tests validate them.
 */
const BEYOND_RINGS = {
  '/engine/layout.ts': ['layoutOf'],
  '/distances/diameter.ts': ['diameterOf'],
  '/fields/corruption.ts': ['corruptedStart', 'corruptionFields'],
  '/meetings/link-schedule.ts': ['linkSchedule', 'SilentPairs'],
  '/networks/complete.ts': ['complete'],
  '/networks/edge-list.ts': ['edgeList'],
  '/networks/lattice.ts': ['grid', 'hypercube', 'torus'],
  '/networks/tree.ts': ['path', 'star', 'tree'],
  '/problems/eventual-leader.ts': ['eventualLeader', 'selfStabilization'],
  '/problems/leader-per-term.ts': ['leaderPerTerm', 'oneLeaderPerTerm'],
  '/problems/computed-values.ts': ['allKnowTheResult', 'computedValues'],
  '/problems/lease.ts': ['lease'],
  '/problems/own-properties.ts': ['guarded', 'refuseIncomplete'],
  '/problems/population-election.ts': ['populationProperties'],
  '/random/mobile-network.ts': ['mobile'],
  '/random/random-networks.ts': [
    'drawGeometric',
    'drawKOut',
    'drawRandom',
    'drawScaleFree',
    'drawSmallWorld',
  ],
  '/scenario/memory-need.ts': ['messageRunBytes', 'cycleRunBytes'],
  '/sim/symmetry.ts': ['distinctStates', 'SymmetryLog'],
  '/validation/reserved-names.ts': ['refuseReserved'],
  '/validation/validate-definition.ts': ['validateDefinition'],
}

/** The first worker is small: other networks than rings, their layouts and so on are left out. */
function ringsOnly() {
  let applies = false
  return {
    name: 'rings-only',
    enforce: 'pre',
    buildStart({ input }) {
      applies = JSON.stringify(input).includes('ring-worker')
    },
    load(id) {
      const path = Object.keys(BEYOND_RINGS).find((end) => id.endsWith(end))
      if (!applies || path === undefined) return null
      const exported = BEYOND_RINGS[path].map((name) => `export const ${name} = () => null`)
      return { code: exported.join('\n'), moduleType: 'js', map: null }
    },
    transform(code, id) {
      return applies && hasProse(id) ? { code: code.replace(PROSE, "$1 ''"), map: null } : null
    },
  }
}

/** Relative addresses: the page works under any path, and in a frame. */
export default defineConfig({
  base: './',
  plugins: [lessons, gatherModules, listModules, engineOffer, catalogueCode],
  worker: { format: 'iife', plugins: () => [gatherModules, ringsOnly()] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: PAGE,
    emptyOutDir: true,
    target: 'es2022',
    // Parts name each other plainly, so that they can be put into one file.
    modulePreload: false,
    // One file of styles: parts that are loaded later bring none.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 5000,
  },
})
