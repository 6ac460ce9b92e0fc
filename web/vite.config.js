import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

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

/** Relative addresses: the page works under any path, and in a frame. */
export default defineConfig({
  base: './',
  plugins: [gatherModules, listModules],
  worker: { format: 'iife', plugins: () => [gatherModules] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: PAGE,
    emptyOutDir: true,
    target: 'es2022',
    // Parts name each other plainly, so that they can be put into one file.
    modulePreload: false,
    chunkSizeWarningLimit: 5000,
  },
})
