import type { Link } from '../../core/language/net.ts'
import { ByteWriter } from '../../core/runtime/bytes.ts'
import type { State, StateLayout } from '../../core/runtime/state.ts'
import { Interner, keyOf } from './interner.ts'

/** An alarm that is set, and how long until it goes off; 0 where time does not count. */
export interface ArmedTimer {
  readonly alarm: number
  readonly left: number
}

/** What a node was told about its links, where that differs from the beginning. */
export interface LinkView {
  /** Links that it takes to be down, in their order. */
  readonly down: readonly Link[]
  /** Neighbours that came back under another id than the one they began with. */
  readonly renamed: readonly { readonly link: Link; readonly id: number }[]
}

export const INNOCENT: LinkView = { down: [], renamed: [] }

/** Everything that one node is: the state its handlers see, its alarms, the next one first. */
export interface LocalState extends LinkView {
  readonly state: State
  readonly alarms: readonly ArmedTimer[]
  /** Set where the node is dead: of its state only what is stable is left. */
  readonly dead?: true
  /** How often it has drawn, where that is limited. */
  readonly drawn?: number
  /** What its last handler left or sent that does not fit its type; the rest is as before. */
  readonly misfit?: string
}

/** The local states that one node was seen in, numbered; number 0 is the first sleeper. */
export class LocalStates {
  private readonly numbering = new Interner<LocalState>()
  readonly list: readonly LocalState[] = this.numbering.list
  /** By number, since these are asked for all the time. */
  readonly asleep: boolean[] = []
  readonly dead: boolean[] = []
  readonly stopped: boolean[] = []
  private readonly later: Map<number, number>[] = []
  private readonly corpses: number[] = []
  /** By id. */
  private readonly sleepers = new Map<number, number>()
  private readonly out = new ByteWriter()

  constructor(
    private readonly form: StateLayout,
    private readonly sleeper: State,
    view: LinkView,
  ) {
    this.numberOf({ state: sleeper, alarms: [], ...view })
  }

  /** The number of another sleeper, where the node is given another id before anything happens. */
  sleeping(id: number, stateOf: () => State): number {
    const known = this.sleepers.get(id)
    if (known !== undefined) return known
    const { down, renamed } = this.list[0]
    const number = this.numberOf({ state: stateOf(), alarms: [], down, renamed })
    this.sleepers.set(id, number)
    return number
  }

  numberOf(local: LocalState): number {
    const { state, alarms, down, renamed, dead = false, misfit = '', drawn = 0 } = local
    this.form.write(this.out, state)
    const told = [...down, ...renamed.map(({ link, id }) => `${link}=${id}`)]
    const times = alarms.map(({ alarm, left }) => `${alarm}:${left}`)
    const number = this.numbering.of(
      `${dead}${misfit}${drawn};${told};${times};${keyOf(this.out.take())}`,
      local,
    )
    this.asleep[number] = state.status === 'asleep' && !dead
    this.dead[number] = dead
    this.stopped[number] = state.stopped
    return number
  }

  /** The same node after some time in which nothing happened to it. */
  after(time: number, local: number): number {
    const { alarms } = this.list[local]
    if (alarms.length === 0) return local
    this.later[local] ??= new Map()
    let later = this.later[local].get(time)
    if (later === undefined) {
      const closer = alarms.map(({ alarm, left }) => ({ alarm, left: left - time }))
      later = this.numberOf({ ...this.list[local], alarms: closer })
      this.later[local].set(time, later)
    }
    return later
  }

  /** The same node, dead. */
  killed(local: number): number {
    this.corpses[local] ??= this.numberOf({
      // The sleeper has the parameters and the id; a recovery may give it another id.
      state: this.form.recovered(this.list[local].state, this.sleeper.id ?? 0, this.sleeper),
      alarms: [],
      ...INNOCENT,
      ...drawnBy(this.list[local].drawn),
      dead: true,
    })
    return this.corpses[local]
  }
}

/** What is kept of how often a node has drawn: nothing where that is not limited. */
export function drawnBy(drawn: number | undefined): Pick<LocalState, 'drawn'> {
  return drawn === undefined ? {} : { drawn }
}
