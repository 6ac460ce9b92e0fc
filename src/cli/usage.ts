import type { CommanderError } from 'commander'
import { UsageError } from '../core/index.ts'

/** What the reader of command lines says, and what is needed and given in our words. */
const MISTAKES: readonly [says: RegExp, needed: string, given: string][] = [
  [/^unknown option '(.*?)'/, 'only flags that its help lists are known', '$1 was given'],
  [/^unknown command '(.*?)'/, 'a command is needed', '"$1" was given'],
  [/^missing required argument '(.*?)'/, '<$1> is needed', 'it was left out'],
  [/^option '(.*?)' argument missing/, '$1 is needed', 'nothing follows the flag'],
  [/^required option '(.*?)' not specified/, '$1 is needed', 'it was left out'],
  [/^too many arguments.*Expected (.*) but got (.*)/, 'it takes $1', '$2 came'],
]

/** The complaint about a command line that cannot be read, in the form of all others. */
export function usageError(error: CommanderError, command: string | null): UsageError {
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
  const [, meant] = /\(Did you mean (.*)\?\)/.exec(message) ?? []
  const where = command === null ? 'conclave' : `conclave ${command}`
  const remedy = meant === undefined ? `See ${where} --help.` : `Did you mean ${meant}?`
  for (const [says, needed, given] of MISTAKES) {
    const found = says.exec(message)
    if (found === null) continue
    const filled = (text: string) => text.replace(/\$(\d)/g, (_, group) => found[Number(group)])
    return new UsageError(where, `${filled(needed)}, but ${filled(given)}.`, remedy)
  }
  return new UsageError(where, `a command line as in its help is needed, but ${message}.`, remedy)
}
