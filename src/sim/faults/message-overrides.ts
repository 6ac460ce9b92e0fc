import type { Conditions } from '../conditions.ts'
import { Arrivals } from '../queue/arrivals.ts'
import { noFaults } from './faults.ts'

/** What somebody does to one message of a run; it has the number that the trace gives it. */
export interface MessageOverride {
  readonly what: 'drop' | 'arrive'
  readonly message: number
  /** When it is lost on its way, or arrives; what is before its sending means then. */
  readonly at: number
}

/** What came of it: when the message was lost, or arrived; null where that never happened. */
export interface OverrideResult extends Omit<MessageOverride, 'at'> {
  readonly at: number | null
}

/** When messages arrive under these conditions. */
export function arrivalsIn(conditions: Conditions, channels: number): Arrivals {
  const { overrides } = conditions.faults ?? noFaults
  return overrides.length > 0
    ? new TamperedArrivals(conditions, channels, overrides)
    : new Arrivals(conditions, channels)
}

/** What is done to messages; null where nothing is. */
export function overridesIn({ faults = noFaults }: Conditions): MessageOverrides | null {
  return faults.overrides.length > 0 ? new MessageOverrides(faults.overrides) : null
}

function timesOf(
  tampers: readonly MessageOverride[],
  kind: MessageOverride['what'],
): ReadonlyMap<number, number> {
  const chosen = tampers.filter(({ what }) => what === kind)
  return new Map(chosen.map(({ message, at }) => [message, at]))
}

/**
 * Arrivals of which some are given. Who is sent later over a link that keeps the order does not
 * overtake such a message, nor does that one overtake those before it. One that will be lost ends
 * its way then, and those behind it come when they would have come: nothing changes before.
 */
class TamperedArrivals extends Arrivals {
  override readonly inOrder = false
  private readonly given: ReadonlyMap<number, number>
  private readonly drops: ReadonlyMap<number, number>
  private readonly fifo: boolean
  /** By channel, where links keep the order: when the last one arrives, or would have arrived. */
  private readonly line = new Map<number, number>()
  /** The same of those that do arrive, which alone are in the way of one that is hastened. */
  private readonly ahead = new Map<number, number>()

  constructor(conditions: Conditions, channels: number, tampers: readonly MessageOverride[]) {
    super(conditions, channels)
    this.given = timesOf(tampers, 'arrive')
    this.drops = timesOf(tampers, 'drop')
    this.fifo = conditions.fifo
  }

  override next(channel: number, now: number, message: number): number {
    // It is drawn in any case: all others take as long as they would have taken.
    const drawn = super.next(channel, now, message)
    // A time that is given counts only where the message is sent before.
    const given = this.given.get(message) ?? now
    const arrival =
      given > now
        ? Math.max(given, this.ahead.get(channel) ?? 0)
        : Math.max(drawn, this.line.get(channel) ?? 0)
    const drop = this.drops.get(message)
    const lost = drop !== undefined && drop <= arrival
    if (this.fifo) {
      this.line.set(channel, Math.max(arrival, this.line.get(channel) ?? 0))
      if (!lost) this.ahead.set(channel, arrival)
    }
    return lost ? drop : arrival
  }
}

/** Who is to be lost, and what came of all that was done to messages. */
export class MessageOverrides {
  private readonly given: ReadonlyMap<number, number>
  private readonly drops: ReadonlyMap<number, number>
  private readonly lost = new Map<number, number>()
  private readonly arrived = new Map<number, number>()

  constructor(private readonly tampers: readonly MessageOverride[]) {
    this.given = timesOf(tampers, 'arrive')
    this.drops = timesOf(tampers, 'drop')
  }

  /** Whether a message is lost by now: as it is sent, or where its way ends. */
  loses(message: number, now: number): boolean {
    const drop = this.drops.get(message)
    if (drop === undefined || drop > now) return false
    this.lost.set(message, now)
    return true
  }

  arrives(message: number, now: number): void {
    if (this.given.has(message)) this.arrived.set(message, now)
  }

  /** All of it, in moments counted from this one on. */
  outcomes(origin: number): OverrideResult[] {
    return this.tampers.map(({ what, message }) => {
      const at = (what === 'drop' ? this.lost : this.arrived).get(message)
      return { what, message, at: at === undefined ? null : at + origin }
    })
  }
}
