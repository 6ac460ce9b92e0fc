import { UsageError } from '../usage-error.ts'

/** Where and when a handler made its mistake. */
export interface HandlerPlace {
  readonly algorithm: string
  /** As the definition calls it: `ELECTION`, `start`, `timeout SILENCE`. */
  readonly handler: string
  /** -1 where it is not about one node. */
  readonly position: number
  readonly id: number | null
  /** In time units, or in rounds; null where the engine has no time. */
  readonly time: number | null
}

/**
 * A mistake of a handler: it does what the definition does not declare, throws, or is not
 * deterministic. `cause` is what was thrown, and the stack is that of the handler.
 */
export class HandlerError extends UsageError {
  readonly handler: string
  readonly position: number
  readonly id: number | null
  readonly time: number | null

  constructor(
    private readonly place: HandlerPlace,
    problem: string,
    hint = '',
    cause?: unknown,
  ) {
    super(`${place.algorithm}: ${inWords(place)}`, problem, hint)
    this.name = 'HandlerError'
    this.handler = place.handler
    this.position = place.position
    this.id = place.id
    this.time = place.time
    if (cause !== undefined) this.cause = cause
    const frames = cause instanceof Error ? framesOf(cause.stack) : ''
    if (frames !== '') this.stack = `${this.name}: ${this.message}\n${frames}`
  }

  /** The arguments of the constructor but for the cause, to rebuild the error in another thread. */
  get report(): [place: HandlerPlace, problem: string, hint: string] {
    return [this.place, this.problem, this.hint]
  }
}

function inWords({ handler, position, id, time }: HandlerPlace): string {
  const node = id === null ? `position ${position}` : `position ${position} (id ${id})`
  const moment = time === null ? '' : `, time ${time}`
  return position < 0 ? handler : `${handler} at ${node}${moment}`
}

function framesOf(stack: string | undefined): string {
  const lines = (stack ?? '').split('\n')
  const first = lines.findIndex((line) => /^\s+at /.test(line))
  return first < 0 ? '' : lines.slice(first).join('\n')
}
