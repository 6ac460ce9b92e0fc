import { ByteWriter } from '../core/bytes.ts'
import type { State, StateForm } from '../core/state.ts'
import { keyOf, Numbering } from './numbering.ts'

/** An alarm that is set, and how long until it goes off; 0 where time does not count. */
export interface Due {
  readonly alarm: number
  readonly left: number
}

/** Everything that one node is: the state its handlers see, and its alarms, the next one first. */
export interface Local {
  readonly state: State
  readonly alarms: readonly Due[]
}

/** The local states that one node was seen in, numbered; number 0 is the sleeper. */
export class Locals {
  private readonly numbering = new Numbering<Local>()
  readonly list: readonly Local[] = this.numbering.list
  private readonly later: Map<number, number>[] = []
  private readonly out = new ByteWriter()

  constructor(
    private readonly form: StateForm,
    sleeper: State,
  ) {
    this.numberOf({ state: sleeper, alarms: [] })
  }

  numberOf(local: Local): number {
    this.form.write(this.out, local.state)
    const alarms = local.alarms.map(({ alarm, left }) => `${alarm}:${left}`)
    return this.numbering.of(`${alarms.join()};${keyOf(this.out.take())}`, local)
  }

  /** The same node after some time in which nothing happened to it. */
  after(time: number, local: number): number {
    const { state, alarms } = this.list[local]
    if (alarms.length === 0) return local
    this.later[local] ??= new Map()
    let later = this.later[local].get(time)
    if (later === undefined) {
      const closer = alarms.map(({ alarm, left }) => ({ alarm, left: left - time }))
      later = this.numberOf({ state, alarms: closer })
      this.later[local].set(time, later)
    }
    return later
  }
}
