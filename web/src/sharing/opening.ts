import type { Given } from '../../../src/scenario/index.ts'
import { open, player } from '../model/lab.ts'

/** Opens a scenario document or an event log; returns what is wrong with it, if something is. */
export function openFile(text: string): string | null {
  const [line] = text.trimStart().split('\n')
  const head = parsed(text) ?? parsed(line)
  if (head === null) return 'This is neither a scenario nor an event log: it is no JSON.'
  const scenario = head.event === 'scenario' ? head.scenario : head
  if (!isScenario(scenario)) return 'There is no scenario in it: the field "algorithm" is missing.'
  open(scenario)
  player.play()
  return null
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? (value as never) : null
  } catch {
    return null
  }
}

function isScenario(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && 'algorithm' in value
}
