import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Settings by mode, since shells set variables of the environment in different ways. */
const MODES: Readonly<Record<string, Record<string, string>>> = {
  long: { LONG_TESTS: '1' },
  docs: { UPDATE_DOCS: '1' },
}

export default defineConfig(({ mode }) => ({
  test: {
    env: MODES[mode] ?? {},
    include: ['{src,test,bench,web}/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    runner: 'test/support/test-runner.ts',
    // One browser for all suites of the lab.
    globalSetup: ['test/lab/shared-browser.ts'],
    // Modules have no state of their own, so that test files share them instead of loading them again.
    isolate: false,
    // A third of the time goes into waiting for processes, browsers and clocks.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // The built program is imported as users do, without a transformation.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
}))
