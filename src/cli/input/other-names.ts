import type { Command, Option } from 'commander'
import { findEntry } from '../../algorithms/catalogue.ts'
import { isSameName } from '../../core/text-format.ts'
import { isCode, isScenarioFile } from './user-algorithm.ts'

/** Whether the value of a flag is an algorithm. */
export function namesAlgorithm({ flags, long }: Option): boolean {
  return long === '--algorithm' || flags.endsWith('<algorithm>')
}

/**
 * Puts the names of the catalogue in place of others, in the arguments and flags of a command:
 * `run AsFar` is `run chang-roberts` from here on. Returns what to tell the user about it.
 */
export function useOwnNames(command: Command): string[] {
  const remarks: string[] = []
  const named = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(named)
    if (typeof given !== 'string' || isCode(given) || isScenarioFile(given)) return given
    const name = findEntry(given)?.name ?? given
    if (!isSameName(name, given)) remarks.push(`${given} is ${name} here.`)
    return name
  }
  for (const [i, argument] of command.registeredArguments.entries())
    if (argument.name().includes('algorithm'))
      command.processedArgs[i] = named(command.processedArgs[i])
  for (const option of command.options)
    if (namesAlgorithm(option)) {
      const key = option.attributeName()
      const given = command.getOptionValue(key)
      if (given !== undefined) command.setOptionValue(key, named(given))
    }
  return remarks
}
