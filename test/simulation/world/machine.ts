import type { Clock } from '../../../src/cluster/clock.ts'
import type { ProcessIdentity, ProcessTable } from '../../../src/cluster/mesh/process-identity.ts'
import type { Environment } from '../../../src/coordinator/environment.ts'
import type { Random } from '../../../src/core/runtime/random.ts'
import type { MachineDisk } from './disk.ts'
import type { VirtualNetwork } from './network.ts'
import { between, happens, type World } from './world.ts'

/** The steps of the clock that counts suspended time, as `os.uptime` has them. */
const RESOLUTION = 10

/** Something that was asked for and may be called off. */
export interface Cancellable {
  cancelled: boolean
}

export interface ClockOptions {
  readonly offset: number
  /** Local milliseconds per real one. */
  readonly rate: number
}

/** A process that runs on a machine: what it asks of the world counts only as long as it lives. */
export class VirtualProcess implements Environment {
  readonly clock: Clock
  readonly disk: Environment['disk']
  readonly network: Environment['network']
  readonly processes: ProcessTable
  alive = true
  /** It dies at this call of the environment, in the middle of what it does. */
  private callsLeft = Number.POSITIVE_INFINITY
  private readonly chance: Random

  constructor(
    readonly machine: Machine,
    readonly number: number,
    network: VirtualNetwork,
  ) {
    this.chance = machine.random.split(`process ${number}`)
    this.clock = {
      now: () => machine.now(),
      elapsed: () => machine.elapsed(),
      resolution: RESOLUTION,
      setTimeout: (run, milliseconds) => this.setTimeout(run, milliseconds),
      clearTimeout: (handle) => {
        if (handle) (handle as Cancellable).cancelled = true
      },
    }
    this.disk = machine.disk.opened(this)
    this.network = network.seenBy(this)
    const pid = network.countProcess(this)
    const found = (identity: ProcessIdentity) => network.processes[identity.pid - 1]
    this.processes = {
      own: () => ({ pid, start: String(number), boot: 'first', namespace: 'one' }),
      sees: (identity) => found(identity).alive,
      gone: (identity) => !found(identity).alive,
    }
  }

  randomBytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.chance.below(256))
  }

  /** Something happens to this process after a time, later if it is stopped then. */
  post(delay: number, run: () => void, handle: Cancellable = { cancelled: false }): Cancellable {
    const { world } = this.machine
    world.schedule(world.time + delay, () => this.deliver(run, handle))
    return handle
  }

  /** The process asks for something: it may be the moment at which it dies. */
  calls(): boolean {
    if (!this.alive) return false
    if (--this.callsLeft > 0) return true
    this.machine.crash(this.machine.dying)
    return false
  }

  /** It dies in this way at one of its next calls. */
  dieAt(calls: number): void {
    this.callsLeft = calls
  }

  private deliver(run: () => void, handle: Cancellable): void {
    if (!this.alive || handle.cancelled) return
    const { world, stoppedUntil } = this.machine
    if (stoppedUntil > world.time) this.machine.postpone(() => this.deliver(run, handle))
    else this.machine.execute(run)
  }

  private setTimeout(run: () => void, milliseconds: number): Cancellable {
    const { machine } = this
    const { chance } = machine
    const late = happens(chance, 0.02) ? between(chance, 0, 20) : between(chance, 0, 0.5)
    const due = machine.now() + Math.max(milliseconds, 1) + late
    const handle = { cancelled: false }
    const arm = () => {
      const wait = Math.max(0.001, (due - machine.now()) / machine.rate)
      this.post(wait, () => (machine.now() < due - 0.0005 ? arm() : run()), handle)
    }
    arm()
    return handle
  }
}

/** A computer: its clocks and its disk outlive its processes. */
export class Machine {
  process: VirtualProcess | null = null
  /** Power is on: somebody answers that a port is closed. */
  powered = true
  stoppedUntil = 0
  /** How the process dies that dies at a call. */
  dying: 'kill' | 'power' = 'kill'
  /** Decides about lateness. */
  readonly chance: Random
  private suspendedBefore = 0
  private suspendedSince: number | null = null
  private started = 0
  /** What waits until the process goes on. */
  private readonly postponed = new Set<() => void>()

  constructor(
    readonly world: World,
    readonly name: string,
    readonly host: string,
    readonly random: Random,
    readonly disk: MachineDisk,
    private readonly clocks: ClockOptions,
    private readonly hooks: MachineHooks,
  ) {
    this.chance = random.split('lateness')
  }

  get rate(): number {
    return this.clocks.rate
  }

  get up(): boolean {
    return this.process !== null
  }

  now(): number {
    const { offset, rate } = this.clocks
    return offset + rate * (this.world.time - this.suspended())
  }

  elapsed(): number {
    const { offset, rate } = this.clocks
    const exact = 77_777 + offset / 2 + rate * this.world.time
    return Math.floor(exact / RESOLUTION) * RESOLUTION
  }

  boot(network: VirtualNetwork): VirtualProcess {
    this.powered = true
    this.process = new VirtualProcess(this, ++this.started, network)
    this.world.trace(`${this.name} starts`)
    return this.process
  }

  /** kill: the system closes its connections. power: nobody hears anything. */
  crash(how: 'kill' | 'power'): void {
    const { process } = this
    if (process === null) return
    this.world.trace(`${this.name} crashes (${how})`)
    process.alive = false
    this.process = null
    this.postponed.clear()
    this.resume()
    this.powered = how === 'kill'
    if (how === 'power') this.disk.losePower()
    this.hooks.crashed(process, how)
  }

  /** The process is stopped, or busy with something else; its clocks go on. */
  pause(time: number): void {
    this.world.trace(`${this.name} is paused for ${time.toFixed()} ms`)
    this.stoppedUntil = Math.max(this.stoppedUntil, this.world.time + time)
  }

  /** The machine sleeps: one of its clocks stands still. */
  suspend(time: number): void {
    if (this.suspendedSince !== null) return
    this.world.trace(`${this.name} is suspended for ${time.toFixed()} ms`)
    this.suspendedSince = this.world.time
    this.stoppedUntil = Math.max(this.stoppedUntil, this.world.time + time)
    const { suspendedSince } = this
    this.world.schedule(this.world.time + time, () => {
      if (this.suspendedSince === suspendedSince) this.awake()
    })
  }

  postpone(run: () => void): void {
    const once = () => {
      if (this.postponed.delete(once)) run()
    }
    this.postponed.add(once)
    this.world.schedule(this.stoppedUntil, once)
  }

  /** It goes on at once, with what it has missed. */
  resume(): void {
    this.stoppedUntil = 0
    this.awake()
    for (const once of this.postponed) this.world.schedule(this.world.time, once)
  }

  private awake(): void {
    this.suspendedBefore = this.suspended()
    this.suspendedSince = null
  }

  execute(run: () => void): void {
    this.world.executed = true
    try {
      run()
    } catch (error) {
      this.hooks.threw(this, error)
    }
    this.hooks.acted(this)
  }

  private suspended(): number {
    const { suspendedSince, suspendedBefore, world } = this
    return suspendedBefore + (suspendedSince === null ? 0 : world.time - suspendedSince)
  }
}

/** What a machine tells. */
export interface MachineHooks {
  crashed(process: VirtualProcess, how: 'kill' | 'power'): void
  threw(machine: Machine, error: unknown): void
  /** Its process has done something. */
  acted(machine: Machine): void
}
