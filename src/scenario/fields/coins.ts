import { type Algorithm, UsageError } from '../../core/index.ts'
import { position, text, unexpected } from '../../options/reading.ts'
import type { CoinScript } from '../../sim/index.ts'

const EXAMPLE = '0:2,5;1:7'

/** Reads the scripted random choices of an algorithm that makes some. */
export function readCoins(where: string, value: unknown, { name, needs }: Algorithm): string {
  if (needs.coins === true) return text(where, value, EXAMPLE)
  throw new UsageError(where, `${name} makes no random choices.`, 'Leave them out.')
}

/** The script in a text: `0:2,5;1:7` are the choices of positions 0 and 1, in order. */
export function coinScript(where: string, value: string, n: number): CoinScript {
  const draws = new Map<number, readonly number[]>()
  for (const entry of value.split(';')) {
    const [place, listed, ...rest] = entry.split(':').map((part) => part.trim())
    const choices = listed?.split(',').map((choice) => choice.trim()) ?? []
    const wrong = choices.find((choice) => !isChoice(choice))
    if (rest.length > 0 || !/^\d+$/.test(place) || choices.length === 0 || wrong !== undefined) {
      throw unexpected(
        where,
        'positions with their choices, such as 0:2,5;1:7',
        wrong === undefined || wrong === '' ? entry.trim() : wrong,
        'Choices are whole numbers from 0 on; the last one repeats.',
      )
    }
    const node = position(where, place, n)
    if (draws.has(node)) {
      throw new UsageError(where, `position ${node} is listed twice.`, 'Join its choices.')
    }
    draws.set(node, choices.map(Number))
  }
  return { draws, where }
}

function isChoice(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text))
}
