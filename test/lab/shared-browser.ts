import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { onPath } from '../support/program-path.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser that all suites of the lab share, or why there is none. */
    readonly browser: { readonly address: string } | { readonly missing: string }
  }
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MISSING =
  'The suites of the lab need a browser: set CHROMIUM to the path of Chromium or Chrome, ' +
  `or put one of ${NAMES.join(', ')} on the path.`

/** Starts one browser for all suites of the lab, if any of them is to run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!(await runsLab(project))) return async () => {}
  const path = browserPath() ?? fetchedBrowser()
  if (path === null || !existsSync(path)) {
    const missing = path === null ? MISSING : `CHROMIUM is ${path}, but there is no such file.`
    project.provide('browser', { missing })
    return async () => {}
  }
  const server = await chromium.launchServer({
    executablePath: path,
    // Root has no sandbox in a container.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  project.provide('browser', { address: server.wsEndpoint() })
  return () => server.close()
}

/** Whether a suite of the lab is among the files of this run; vitest keeps its filters inside. */
async function runsLab(project: TestProject): Promise<boolean> {
  const { filenamePattern } = project.vitest as { readonly filenamePattern?: string[] }
  const { testFiles } = await project.globTestFiles(filenamePattern)
  return testFiles.some((file) => file.includes('/test/lab/'))
}

/** The browser of the environment variable, or the first of the usual names on the path. */
export function browserPath(env: Readonly<NodeJS.ProcessEnv> = process.env): string | null {
  if (env.CHROMIUM) return env.CHROMIUM
  for (const name of NAMES) {
    const path = onPath(name, env)
    if (path !== null) return path
  }
  return null
}

/** Debian's chromium, where this process may install it; else null. */
function fetchedBrowser(): string | null {
  if (process.getuid?.() !== 0 || onPath('apt-get', process.env) === null) return null
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...words: string[]) => execFileSync('apt-get', words, { stdio: 'ignore', env })
  const install = () => aptGet('install', '-y', '--no-install-recommends', 'chromium')
  try {
    install()
  } catch {
    try {
      aptGet('update')
      install()
    } catch {
      return null
    }
  }
  return browserPath()
}
