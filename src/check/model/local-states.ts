import type { Link } from '../../core/language/net.ts'
import { ByteWriter } from '../../core/runtime/bytes.ts'
import type { State, StateLayout } from '../../core/runtime/state.ts'
import { bytesKey, Interner } from './interner.ts'

/**
 * A timer and the time until it fires, which is 0 without a clock. Where clocks drift, it may fire
 * as many units earlier or later.
 */
export interface ArmedTimer {
  readonly timer: number
  readonly remaining: number
  /** By how many units of time it may fire early or late; 0 if omitted. */
  readonly drift?: number
}

/** The moment to which the leadership of a node is bound: when the setting of a timer is due. */
export interface LeadershipBound {
  /** With a clock: the time until then. */
  readonly remaining: number
  readonly drift?: number
  /** The timer, as long as it has not been set again or cancelled. */
  readonly timer?: number
}

/** What the failure detector has reported to a node, relative to the initial network. */
export interface LinkView {
  /** Links reported as down, in increasing order. */
  readonly down: readonly Link[]
  /** Neighbours that recovered under another id than their initial one. */
  readonly renamed: readonly { readonly link: Link; readonly id: number }[]
}

/** Whether a timer cannot fire later than now. */
export function isDue({ remaining, drift = 0 }: ArmedTimer | LeadershipBound): boolean {
  return remaining <= -drift
}

/** The time until a timer may fire. */
export function untilPossible({ remaining, drift = 0 }: ArmedTimer | LeadershipBound): number {
  return remaining - drift
}

/** Whether a timer may fire now. */
export function mayFire({ remaining, drift = 0 }: ArmedTimer | LeadershipBound): boolean {
  return remaining <= drift
}

export const INITIAL_VIEW: LinkView = { down: [], renamed: [] }

/** The whole state of one node: its variables, its armed timers (the next one first), its view. */
export interface LocalState extends LinkView {
  readonly state: State
  readonly timers: readonly ArmedTimer[]
  /** Set for a crashed node; only stable storage is left of its state. */
  readonly dead?: true
  /** The number of random choices so far, where they are limited. */
  readonly drawn?: number
  /** The ids of the leaders that it has followed so far, where they are kept. */
  readonly followed?: readonly number[]
  /** Set where its leadership is bound to the setting of a timer. */
  readonly bound?: LeadershipBound
  /**
   * The value outside its declared type that the last handler produced; it changed nothing else.
   */
  readonly typeViolation?: string
}

/** Interns the local states of one node, or of several that begin in the same state: number 0. */
export class LocalStates {
  private readonly interner = new Interner<LocalState>()
  readonly list: readonly LocalState[] = this.interner.list
  /** Indexed by number: these are read in the inner loops. */
  readonly asleep: boolean[] = []
  readonly dead: boolean[] = []
  readonly stopped: boolean[] = []
  readonly bound: (LeadershipBound | undefined)[] = []
  private readonly afterTime: Map<number, number>[] = []
  private readonly crashedStates: number[] = []
  /** The initial state by id. */
  private readonly initialById = new Map<number, number>()
  private readonly out = new ByteWriter()

  constructor(
    private readonly layout: StateLayout,
    private readonly initial: State,
    view: LinkView,
  ) {
    this.intern({ state: initial, timers: [], ...view })
  }

  /** The initial state of the node with another id. */
  initialWithId(id: number, stateOf: () => State): number {
    const known = this.initialById.get(id)
    if (known !== undefined) return known
    const { down, renamed } = this.list[0]
    const number = this.intern({ state: stateOf(), timers: [], down, renamed })
    this.initialById.set(id, number)
    return number
  }

  intern(local: LocalState): number {
    const { state, timers, down, renamed, dead = false, typeViolation = '', drawn = 0 } = local
    this.layout.write(this.out, state)
    const view = [...down, ...renamed.map(({ link, id }) => `${link}=${id}`)]
    const times = timers.map(timerKey)
    const { bound, followed = '' } = local
    const clock = bound === undefined ? '' : `${timerKey(bound)}`
    const number = this.interner.intern(
      `${dead}${typeViolation}${drawn};${followed};${view};${times};${clock};${bytesKey(this.out.take())}`,
      local,
    )
    this.bound[number] = bound
    this.asleep[number] = state.status === 'asleep' && !dead
    this.dead[number] = dead
    this.stopped[number] = state.stopped
    return number
  }

  /** The local state after some time without events. */
  after(time: number, local: number): number {
    if (this.list[local].timers.length === 0 && this.bound[local] === undefined) return local
    this.afterTime[local] ??= new Map()
    let after = this.afterTime[local].get(time)
    if (after === undefined) {
      after = this.intern(later(this.list[local], time))
      this.afterTime[local].set(time, after)
    }
    return after
  }

  /** The local state after a crash. */
  crashed(local: number): number {
    this.crashedStates[local] ??= this.intern({
      // Parameters and id are those of the initial state; a recovery may assign another id.
      state: this.layout.recovered(this.list[local].state, this.initial.id ?? 0, this.initial),
      timers: [],
      ...INITIAL_VIEW,
      ...drawCount(this.list[local].drawn),
      dead: true,
    })
    return this.crashedStates[local]
  }
}

function later({ timers, bound, ...local }: LocalState, time: number): LocalState {
  return {
    ...local,
    timers: timers.map((set) => counted(set, time)),
    ...(bound !== undefined && { bound: counted(bound, time) }),
  }
}

/** What is due while its node is paused stays due, and keeps its order. */
function counted<T extends ArmedTimer | LeadershipBound>(set: T, time: number): T {
  const { remaining, drift = 0 } = set
  return { ...set, remaining: Math.max(-drift, remaining - time) }
}

function timerKey({ timer, remaining, drift }: ArmedTimer | LeadershipBound): string {
  return `${timer}:${remaining}${drift === undefined ? '' : `~${drift}`}`
}

/** The count of random choices as part of a local state; omitted where they are not limited. */
export function drawCount(drawn: number | undefined): Pick<LocalState, 'drawn'> {
  return drawn === undefined ? {} : { drawn }
}
