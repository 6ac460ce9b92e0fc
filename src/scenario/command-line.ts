import { EXPERIMENT } from '../options/experiment.ts'
import type { Option } from '../options/option.ts'
import { optionNamed, SCENARIO } from '../options/scenario.ts'
import type { FieldLocator, ScenarioInput } from './scenario.ts'

/** Every option that a command line may have for what it runs. */
const OPTIONS: Readonly<Record<string, Option>> = { ...SCENARIO, ...EXPERIMENT }

/** A field as a flag of the command line. */
export const flagged: FieldLocator = (field) => (field === 'n' ? '-n' : `--${field}`)

/** The command line that reproduces a scenario. */
export function commandLine(verb: string, algorithm: string, given: ScenarioInput): string {
  // A title is a flag of an experiment; that of a scenario is in its file only.
  const { title, notes: _, ...fields } = given
  const titled = verb === 'experiment' && title !== undefined && { title }
  const words = [algorithm, ...flagWords({ ...fields, ...titled })]
  return ['conclave', verb, ...words.map(shellWord)].join(' ')
}

/** The fields of a scenario as flags, each word by itself. */
export function flagWords(given: ScenarioInput): string[] {
  return Object.entries(given)
    .filter(([name]) => name !== 'algorithm')
    .flatMap(([name, value]) => {
      const flag = flagged(name)
      if (value === true) return [flag]
      if (OPTIONS[optionNamed(name)]?.repeatable)
        return settings(value).flatMap((setting) => [flag, setting])
      return [flag, String(value)]
    })
}

function settings(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  if (Array.isArray(value)) return value.map(String)
  return Object.entries(value).map(([key, setting]) => `${key}=${setting}`)
}

/** A word as a shell reads it: in quotes if it has other letters than names and numbers do. */
export function shellWord(text: string): string {
  return /^[\w@:.,=/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
