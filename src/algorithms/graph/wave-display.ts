import type { EventContext, ShownId } from '../../core/index.ts'
import { type InWave, rank, type WaveKey } from './wave.ts'

/** A partial result of a wave as a short text. */
type ShownResult<T> = (found: T, name: ShownId) => string

/** What pictures show of a wave; `shows` is what its partial results are. */
export function waveDisplay<T>(shows: string, shown: ShownResult<T>) {
  return {
    group: { name: 'wave', of: inWave<T>((my, name) => name(my.source)) },
    badge: { name: shows, of: inWave<T>((my, name) => shown(my.found, name)) },
    edges: ({ parent }: InWave<T>) => (parent === null ? [] : [[parent, 'tree'] as const]),
    pointer: { name: 'parent', of: ({ parent }: InWave<T>) => parent },
  }
}

/** A value of a node that has been in a wave. */
function inWave<T>(of: (my: InWave<T>, name: ShownId) => string) {
  return (my: InWave<T>, name: ShownId) =>
    my.status === 'asleep' || my.number === 0 ? null : of(my, name)
}

/** Why a node does what it does when it is asked, answered or told the result. */
export function waveReasons<T>(shown: ShownResult<T>) {
  return {
    asked(my: InWave<T>, { number, source }: WaveKey, name: ShownId, around: EventContext): string {
      const { from, node, up } = around
      const order = rank(number, source, my)
      const later =
        number === my.number
          ? name.order(source, my.source)
          : `it is ${order < 0 ? 'earlier' : 'later'}`
      if (order < 0) return `ignores the wave of ${name(source)}: ${later}`
      if (order === 0)
        return from === my.parent
          ? 'is asked by its parent once more'
          : `answers ${node(from)} with nothing: it is in this wave already`
      if (!up(from)) return `begins a wave itself: ${node(from)} is down by now`
      return my.status === 'asleep' || my.number === 0
        ? `joins the wave of ${name(source)}: ${node(from)} is its parent`
        : `leaves its wave for that of ${name(source)}: ${later}`
    },
    answered(
      my: InWave<T>,
      { number, source, found }: WaveKey & { found: T | null },
      name: ShownId,
      { from, node }: EventContext,
    ): string {
      if (rank(number, source, my) !== 0 || !my.asked.has(from)) return 'ignores it: it is outdated'
      const child =
        found === null
          ? `learns that ${node(from)} has another parent`
          : `has ${node(from)} as a child, which reports ${shown(found, name)}`
      const left = my.asked.size - 1
      if (left > 0) return `${child}; waits for ${left} more`
      return my.parent === null
        ? `${child}; has all answers: the wave is over`
        : `${child}; has all answers and reports to its parent ${node(my.parent)}`
    },
    informed: (
      my: InWave<T>,
      { number, source, found }: WaveKey & { found: T },
      name: ShownId,
    ): string =>
      rank(number, source, my) === 0 && my.leader === null
        ? `learns the result ${shown(found, name)} and tells its children`
        : 'knows the result, or is in another wave',
  }
}
