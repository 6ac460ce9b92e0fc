import type { Clock } from '../../../src/cluster/clock.ts'
import type { Environment } from '../../../src/coordinator/environment.ts'
import type { Configuration } from '../../../src/coordinator/membership/configuration.ts'
import type { GivenMember, MembershipChange } from '../../../src/coordinator/membership/host.ts'
import { UNCOUNTED_KEYS } from '../../../src/coordinator/membership/member-store.ts'
import { Membership } from '../../../src/coordinator/membership/membership.ts'
import { Random } from '../../../src/core/runtime/random.ts'
import { UsageError } from '../../../src/core/usage-error.ts'
import { type LeaseFrame, LeaseModel, type LeaseRecord } from './lease-model.ts'
import { Oracle } from './oracle.ts'

export const LEASE = 100
const DRIFT = 0.05
const MARGIN = 2

/** What may go wrong between the members of a world. */
export interface WorldFaults {
  /** Of 100 messages so many are lost, and so many delivered twice. */
  readonly loss: number
  readonly twice: number
  /** The longest time that a message takes. */
  readonly delay: number
}

const CALM: WorldFaults = { loss: 0, twice: 0, delay: 5 }

interface Due {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** A process of a member, until it crashes. */
interface Process {
  readonly membership: Membership
  readonly lease: LeaseModel
  alive: boolean
}

/** A machine: its disk and clock survive its processes. */
export class Machine {
  disk = new Map<string, Uint8Array>()
  records = new Map<string, LeaseRecord>()
  process: Process | null = null
  starts = 0
  /** Handles nothing until then. */
  pausedUntil = 0
  readonly log: string[] = []

  constructor(
    readonly name: string,
    readonly rate: number,
    /** The longest lease that it promises. */
    public limit: number,
  ) {}

  get membership(): Membership {
    return this.process!.membership
  }
}

/** Members over a virtual clock, disk and network; every step is decided by the seed. */
export class World {
  time = 0
  faults = CALM
  readonly machines = new Map<string, Machine>()
  readonly oracle: Oracle
  readonly random: Random
  /** Members that cannot hear each other: names with different sides. */
  sides = new Map<string, number>()
  /** Links that lose everything, in one direction: `a>b`. */
  readonly cuts = new Set<string>()
  private readonly due: Due[] = []
  private order = 0

  constructor(
    seed: number,
    private readonly brokenClocks = false,
  ) {
    this.random = Random.from(seed)
    this.oracle = new Oracle(!brokenClocks)
  }

  machine(name: string, limit = LEASE): Machine {
    const made = this.machines.get(name)
    if (made !== undefined) return made
    const machine = new Machine(name, 1 + (DRIFT * this.random.below(101)) / 100, limit)
    this.machines.set(name, machine)
    return machine
  }

  /** Starts a member that was given these others. */
  start(name: string, given: readonly string[], bootstrap = false, witnesses = ''): Membership {
    const machine = this.machine(name)
    const members = new Map(
      given.map((member): [string, GivenMember] => [
        member,
        { address: `${member}:1`, kind: witnesses.includes(member) ? 'witness' : 'voter' },
      ]),
    )
    const number = ++machine.starts
    const environment = this.environment(machine, () => process.alive)
    const membership = new Membership(
      { me: name, members, bootstrap, lease: LEASE, limit: machine.limit, drift: DRIFT, margin: 2 },
      this.journal(machine, () => process.alive),
      environment,
      {
        send: (to, bytes) => {
          const copy = bytes.slice()
          this.send(machine, to, (other) => other.membership.received(name, copy), process)
        },
        dial: () => {},
        terms: () => new Map([...lease.records].map(([role, { term }]) => [role, term])),
        heldTerm: () => lease.held('members'),
        holder: () => this.oracle.lastHolder('members'),
        configured: () => {},
        standing: (standing, why) => {
          machine.log.push(`${this.time} ${standing}: ${why}`)
          const { configuration } = membership
          if (configuration !== null)
            this.oracle.configured(name, configuration, standing === 'voting')
        },
        failed: (why) => {
          throw new Error(why)
        },
      },
    )
    const lease = new LeaseModel(
      () => membership,
      {
        now: () => environment.clock.now(),
        lease: machine.limit,
        drift: DRIFT,
        margin: MARGIN,
        brokenClocks: this.brokenClocks,
        process: `${name}#${number}`,
        send: (to, frame) => this.sendFrame(machine, to, frame, process),
        write: async (role, record) => {
          await this.delay(machine, 1 + this.random.below(5), () => process.alive)
          machine.records.set(role, record)
        },
        leads: (role, term, until) => {
          const left = (until - environment.clock.now()) / machine.rate
          this.oracle.leads({ role, holder: name, term, from: this.time, until: this.time + left })
          if (role === 'members') membership.roleChanged()
        },
      },
      membership.configuration !== null ? machine.records : new Map(),
    )
    const process: Process = { membership, lease, alive: true }
    machine.process = process
    membership.start()
    for (const other of this.machines.values()) this.connect(machine, other)
    this.everyQuarter(machine, process)
    return membership
  }

  crash(name: string): void {
    const machine = this.machine(name)
    if (machine.process === null) return
    machine.process.alive = false
    machine.process.membership.close()
    machine.process = null
    machine.pausedUntil = 0
  }

  /** The machine forgets all that it wrote. */
  wipe(name: string): void {
    const machine = this.machine(name)
    machine.disk = new Map()
    machine.records = new Map()
    this.oracle.forgot(name)
  }

  /** Asks for a change; settled promises tell what came of it. */
  async change(at: string, change: MembershipChange): Promise<Configuration | string> {
    try {
      return await this.machine(at).membership.change(change)
    } catch (error) {
      if (error instanceof UsageError) return error.message
      throw error
    }
  }

  /** Lets time pass. */
  async run(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds
    await settled()
    for (;;) {
      const next = this.due[0]
      if (next === undefined || next.at > end) break
      this.pop()
      this.time = Math.max(this.time, next.at)
      next.run()
      await settled()
    }
    this.time = end
  }

  heal(): void {
    this.faults = CALM
    this.sides = new Map()
    this.cuts.clear()
  }

  private everyQuarter(machine: Machine, process: Process): void {
    if (!process.alive) return
    const { lease, membership } = process
    // Who holds a role renews it; others stand now and then. A rare role has long had no holder.
    for (const role of ['members', 'work'])
      if (lease.held(role) !== null || this.random.below(4) === 0) lease.stand(role)
    if (this.random.below(30) === 0) lease.stand('rare')
    if (lease.held('members') === null) membership.roleChanged()
    // What a connection would not lose, messages here may.
    membership.announceMemory()
    const pause = LEASE / 4 + this.random.below(20)
    this.after(machine, pause, () => this.everyQuarter(machine, process), process)
  }

  private connect(one: Machine, other: Machine): void {
    if (one === other || one.process === null || other.process === null) return
    for (const [from, to] of [
      [one, other],
      [other, one],
    ]) {
      const { version } = from.membership
      const peer = { version, kind: 'member' } as const
      this.after(to, 1, () => to.process?.membership.up(from.name, peer), to.process!)
    }
  }

  private sendFrame(from: Machine, to: string, frame: LeaseFrame, process: Process): void {
    this.send(from, to, (other) => other.lease.received(from.name, frame), process)
  }

  private send(from: Machine, to: string, deliver: (to: Process) => void, by: Process): void {
    const machine = this.machines.get(to)
    const { loss, twice, delay } = this.faults
    if (!by.alive || machine === undefined) return
    const copies = from === machine ? 1 : this.random.below(100) < twice ? 2 : 1
    for (let i = 0; i < copies; i++) {
      if (from !== machine && this.random.below(100) < loss) continue
      const pause = from === machine ? 0 : 1 + this.random.below(delay)
      this.at(this.time + pause, () => {
        if ((this.sides.get(from.name) ?? 0) !== (this.sides.get(to) ?? 0)) return
        if (this.cuts.has(`${from.name}>${to}`)) return
        this.awake(machine, () => {
          if (machine.process !== null) deliver(machine.process)
        })
      })
    }
  }

  /** Runs something at a machine, later if it is paused. */
  private awake(machine: Machine, run: () => void): void {
    if (machine.pausedUntil > this.time)
      this.at(machine.pausedUntil, () => this.awake(machine, run))
    else run()
  }

  private after(machine: Machine, milliseconds: number, run: () => void, process: Process): void {
    this.at(this.time + milliseconds / machine.rate, () =>
      this.awake(machine, () => {
        if (process.alive) run()
      }),
    )
  }

  private environment(machine: Machine, alive: () => boolean): Environment {
    const now = () => this.time * machine.rate
    const clock: Clock = {
      now,
      elapsed: now,
      setTimeout: (run, milliseconds) => {
        const timer = { set: true }
        this.at(this.time + milliseconds / machine.rate, () =>
          this.awake(machine, () => {
            if (timer.set && alive()) run()
          }),
        )
        return timer
      },
      clearTimeout: (handle) => {
        if (handle !== null) (handle as { set: boolean }).set = false
      },
    }
    const randomBytes = (count: number) =>
      Uint8Array.from({ length: count }, () => this.random.below(256))
    return { clock, randomBytes } as unknown as Environment
  }

  /** A crash before the write is durable may or may not lose it. */
  private journal(machine: Machine, alive: () => boolean) {
    return {
      get count() {
        return counts.get(machine.disk) ?? 0
      },
      forget: async (kept: ReadonlyMap<string, Uint8Array>) => {
        machine.disk = new Map(kept)
        machine.records = new Map()
      },
      get: (key: string) => machine.disk.get(key),
      put: async (key: string, value: Uint8Array) => {
        const { disk } = machine
        await this.delay(machine, this.random.below(6), () => {
          if (!alive() && this.random.below(2) === 0) return false
          disk.set(key, value.slice())
          if (!UNCOUNTED_KEYS.has(key)) counts.set(disk, (counts.get(disk) ?? 0) + 1)
          return alive()
        })
      },
    }
  }

  /** Resolves after a while, never if it is not wanted any more. */
  private delay(machine: Machine, milliseconds: number, wanted: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.at(this.time + milliseconds, () =>
        this.awake(machine, () => {
          if (wanted()) resolve()
        }),
      )
    })
  }

  private at(time: number, run: () => void): void {
    const entry = { at: time, order: this.order++, run }
    let low = 0
    let high = this.due.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.due[middle].at <= time) low = middle + 1
      else high = middle
    }
    this.due.splice(low, 0, entry)
  }

  private pop(): void {
    this.due.shift()
  }
}

/** How many records that must not be forgotten each disk holds. */
const counts = new WeakMap<ReadonlyMap<string, Uint8Array>, number>()

/** More steps than any chain of promises here has; turns of the event loop would take longer. */
const CHAIN = 40

/** Resolves when all promises have settled that can without time. */
async function settled(): Promise<void> {
  for (let i = 0; i < CHAIN; i++) await undefined
}
