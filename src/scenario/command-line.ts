import type { FieldLocator, ScenarioInput } from './scenario.ts'

/** A field as a flag of the command line. */
export const flagged: FieldLocator = (field) => (field === 'n' ? '-n' : `--${field}`)

/** Flags that may be repeated. */
export const REPEATABLE = ['role', 'set', 'sweep', 'measure', 'fit']

/** The command line that reproduces a scenario. */
export function commandLine(verb: string, algorithm: string, given: ScenarioInput): string {
  const flags = Object.entries(given)
    .filter(([name]) => name !== 'algorithm')
    .flatMap(([name, value]) => {
      const flag = flagged(name)
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
