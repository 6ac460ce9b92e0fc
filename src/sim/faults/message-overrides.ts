import type { Conditions } from '../conditions.ts'
import { Arrivals } from '../queue/arrivals.ts'
import { noFaults } from './faults.ts'

/** An override of one message, which has the number that the trace gives it. */
export interface MessageOverride {
  readonly what: 'drop' | 'arrive'
  readonly message: number
  /** When it is lost in transit, or arrives; a time before its sending means the sending. */
  readonly at: number
}

/** The effect of an override: when the message was lost or arrived; null if it never was. */
export interface OverrideResult extends Omit<MessageOverride, 'at'> {
  readonly at: number | null
}

/** The arrival times of messages under these conditions. */
export function arrivalsIn(conditions: Conditions, channels: number): Arrivals {
  const { overrides } = conditions.faults ?? noFaults
  return overrides.length > 0
    ? new OverriddenArrivals(conditions, channels, overrides)
    : new Arrivals(conditions, channels)
}

/** The overrides of a run; null where there are none. */
export function overridesIn({ faults = noFaults }: Conditions): MessageOverrides | null {
  return faults.overrides.length > 0 ? new MessageOverrides(faults.overrides) : null
}

function timesOf(
  overrides: readonly MessageOverride[],
  kind: MessageOverride['what'],
): ReadonlyMap<number, number> {
  const chosen = overrides.filter(({ what }) => what === kind)
  return new Map(chosen.map(({ message, at }) => [message, at]))
}

/**
 * Arrivals of which some are given. On a FIFO link no later message overtakes a given arrival, nor
 * does a given arrival overtake earlier messages. A message that will be dropped leaves the link at
 * that time, and the messages behind it arrive when they would have arrived anyway.
 */
class OverriddenArrivals extends Arrivals {
  override readonly inOrder = false
  private readonly given: ReadonlyMap<number, number>
  private readonly drops: ReadonlyMap<number, number>
  private readonly fifo: boolean
  /** By channel of FIFO links: when the last message arrives, or would have arrived. */
  private readonly lastArrival = new Map<number, number>()
  /** The same for messages that do arrive: only these hold back a message sent after them. */
  private readonly lastDelivered = new Map<number, number>()

  constructor(conditions: Conditions, channels: number, overrides: readonly MessageOverride[]) {
    super(conditions, channels)
    this.given = timesOf(overrides, 'arrive')
    this.drops = timesOf(overrides, 'drop')
    this.fifo = conditions.fifo
  }

  override next(channel: number, now: number, message: number): number {
    // A delay is drawn in any case, so that all other messages keep theirs.
    const drawn = super.next(channel, now, message)
    // A given time counts only if the message is sent before it.
    const given = this.given.get(message) ?? now
    const arrival =
      given > now
        ? Math.max(given, this.lastDelivered.get(channel) ?? 0)
        : Math.max(drawn, this.lastArrival.get(channel) ?? 0)
    const drop = this.drops.get(message)
    const lost = drop !== undefined && drop <= arrival
    if (this.fifo) {
      this.lastArrival.set(channel, Math.max(arrival, this.lastArrival.get(channel) ?? 0))
      if (!lost) this.lastDelivered.set(channel, arrival)
    }
    return lost ? drop : arrival
  }
}

/** Decides which messages are dropped, and records the effect of all overrides. */
export class MessageOverrides {
  private readonly given: ReadonlyMap<number, number>
  private readonly drops: ReadonlyMap<number, number>
  private readonly lost = new Map<number, number>()
  private readonly arrived = new Map<number, number>()

  constructor(private readonly overrides: readonly MessageOverride[]) {
    this.given = timesOf(overrides, 'arrive')
    this.drops = timesOf(overrides, 'drop')
  }

  /** Whether a message is dropped by now, at its sending or in transit. */
  loses(message: number, now: number): boolean {
    const drop = this.drops.get(message)
    if (drop === undefined || drop > now) return false
    this.lost.set(message, now)
    return true
  }

  arrives(message: number, now: number): void {
    if (this.given.has(message)) this.arrived.set(message, now)
  }

  /** The effects of all overrides, in times counted from `origin`. */
  outcomes(origin: number): OverrideResult[] {
    return this.overrides.map(({ what, message }) => {
      const at = (what === 'drop' ? this.lost : this.arrived).get(message)
      return { what, message, at: at === undefined ? null : at + origin }
    })
  }
}
