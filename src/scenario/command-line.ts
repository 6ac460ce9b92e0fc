import type { ScenarioInput } from './scenario.ts'

/** Flags that may be given several times. */
export const REPEATABLE = ['role', 'set', 'sweep', 'measure', 'fit']

/** The command line that gives the same scenario again. */
export function commandLine(verb: string, algorithm: string, given: ScenarioInput): string {
  const flags = Object.entries(given)
    .filter(([name]) => name !== 'algorithm')
    .flatMap(([name, value]) => {
      const flag = name === 'n' ? '-n' : `--${name}`
      if (value === true) return [flag]
      if (REPEATABLE.includes(name))
        return settings(value).map((setting) => `${flag} ${shellWord(setting)}`)
      return [`${flag} ${shellWord(String(value))}`]
    })
  return ['conclave', verb, algorithm, ...flags].join(' ')
}

function settings(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  if (Array.isArray(value)) return value.map(String)
  return Object.entries(value).map(([key, setting]) => `${key}=${setting}`)
}

function shellWord(text: string): string {
  return /^[\w@:.,=/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
