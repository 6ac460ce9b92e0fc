import type { Environment } from '../../src/coordinator/environment.ts'
import type { CoordinatorNode, LeaderTerm, Role } from '../../src/coordinator/node.ts'
import type { CoordinatorOptions } from '../../src/coordinator/options.ts'
import type { Random } from '../../src/core/runtime/random.ts'
import { type ObservedRole, Oracle } from './oracle.ts'
import { fenceOf, type ResourceFence } from './resource.ts'
import { DRIFT, type RunSettings } from './settings.ts'
import { MachineDisk } from './world/disk.ts'
import { Machine, type MachineHooks, type VirtualProcess } from './world/machine.ts'
import { VirtualNetwork } from './world/network.ts'
import { between, happens, type World } from './world/world.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const PORT = 7001

/** Makes a node: `coordinator`, or one with a planted mistake. */
export type OpensNode = (
  options: CoordinatorOptions,
  environment: Environment,
) => Promise<CoordinatorNode>

/** A process as the simulation sees it. */
interface Running {
  readonly node: CoordinatorNode
  readonly role: Role
}

/** Machines, the coordinators on them, and the work that they do while they lead. */
export class Cluster {
  readonly machines: Machine[]
  readonly network: VirtualNetwork
  readonly oracle: Oracle
  /** The same for roles without work: the built-in role `members`, and others. */
  readonly otherOracles: ReadonlyMap<string, Oracle>
  /** Problems that are no violations of safety: an error that nobody caught. */
  readonly errors: string[] = []
  /** Members whose storage failed: they must be started again. */
  readonly failed = new Set<Machine>()
  private readonly running = new Map<VirtualProcess, Running>()
  private readonly roles = new Map<VirtualProcess, ObservedRole>()
  private readonly otherRoles: ReadonlyMap<string, Map<VirtualProcess, ObservedRole>>
  private readonly chance: Random
  private readonly fence: ResourceFence
  private readonly acted = new Set<Machine>()
  private calm = false
  private inUse: number
  private twinOf = ''

  constructor(
    readonly world: World,
    readonly settings: RunSettings,
    private readonly opens: OpensNode,
  ) {
    const { random } = world
    this.inUse = settings.n
    this.chance = random.split('application')
    this.network = new VirtualNetwork(world, settings.network)
    const more = Array.from({ length: settings.moreRoles }, (_, i) => `more-${i}`)
    this.otherRoles = new Map(['members', ...more].map((name) => [name, new Map()]))
    const hooks: MachineHooks = {
      crashed: (process, how) => {
        for (const all of [this.running, this.roles, ...this.otherRoles.values()])
          all.delete(process)
        this.network.lost(process, how)
      },
      threw: (machine, error) => this.problem(machine, error),
      acted: (machine) => this.acted.add(machine),
    }
    this.machines = NAMES.map((name, index) => {
      const own = random.split(`machine ${name}`)
      const { diskLatency, lease, heal } = settings
      const disk = new MachineDisk(own.split('disk'), diskLatency, 2 * lease, heal)
      const offset = between(own, 0, 1e7)
      const clocks = { offset, rate: settings.rates[index] }
      const net = settings.fast === 'processes' ? '127.0.0' : '10.0.0'
      const host = `${net}.${index + 1}`
      const machine = new Machine(world, name, host, own, disk, clocks, hooks)
      this.network.add(machine)
      return machine
    })
    this.oracle = new Oracle(world, this.roles)
    this.otherOracles = new Map(
      [...this.otherRoles].map(([name, roles]) => [name, new Oracle(world, roles)]),
    )
    this.fence = fenceOf(this.oracle)
  }

  /** The machines that are in use: the members, and those that were or should become members. */
  get used(): Machine[] {
    return this.machines.slice(0, this.inUse)
  }

  /** Takes one more machine into use; null if there is none. */
  takeSpare(): Machine | null {
    return this.inUse < this.machines.length - 1 ? this.machines[this.inUse++] : null
  }

  addressOf({ host }: Machine): string {
    return `${host}:${PORT}`
  }

  nodeOn({ process }: Machine): CoordinatorNode | null {
    return process === null ? null : (this.running.get(process)?.node ?? null)
  }

  roleOn({ process }: Machine): Role | null {
    return process === null ? null : (this.running.get(process)?.role ?? null)
  }

  /** After every event: what has acted is looked at. */
  look(): void {
    for (const machine of this.acted)
      for (const oracle of [this.oracle, ...this.otherOracles.values()]) oracle.observe(machine)
    this.acted.clear()
  }

  /** From now on the application behaves well. */
  calmDown(): void {
    this.calm = true
    this.network.rough = false
  }

  /** A second process with the name of a member, on another machine and without its storage. */
  startTwin(of: Machine): VirtualProcess | null {
    const machine = this.machines.at(-1)!
    if (machine.up) return null
    machine.disk.replace()
    this.twinOf = of.name
    this.start(machine, false)
    return machine.process
  }

  private memberOn(machine: Machine): string {
    return machine === this.machines.at(-1) ? this.twinOf : machine.name
  }

  /** Starts the coordinator on a machine, for the first time or again. */
  start(machine: Machine, bootstrap: boolean): void {
    const process = machine.boot(this.network)
    this.failed.delete(machine)
    machine.execute(() => {
      this.open(process, bootstrap).catch((error) => this.problem(machine, error))
    })
  }

  private async open(process: VirtualProcess, bootstrap: boolean): Promise<void> {
    const { secret, leases, fast, believes, lease: limit } = this.settings
    const { machine } = process
    const index = this.machines.indexOf(machine)
    const lease = leases[index]
    const node = await this.opens(
      {
        ...{ cluster: 'billing', storage: 'state', lease, limit, drift: DRIFT },
        ...(fast === 'connections' && believes[index] && { fast: 'connection' }),
        ...{ me: this.memberOn(machine), listen: this.addressOf(machine) },
        members: Object.fromEntries(this.used.map((one) => [one.name, this.addressOf(one)])),
        ...(secret ? { secret: 'a secret of 25 characters' } : { insecure: true }),
        ...(bootstrap && { bootstrap }),
        log: ({ level, message }) => this.logged(machine, level, message),
      },
      process,
    )
    if (!process.alive) return
    node.on('failed', () => this.gaveUp(machine))
    const role = node.role('cron')
    this.running.set(process, { node, role })
    this.roles.set(process, role)
    for (const [name, roles] of this.otherRoles) roles.set(process, node.role(name))
    this.acted.add(machine)
    await this.lead(process, role)
  }

  /** A member whose storage failed says so, perhaps before it is open. */
  private logged(machine: Machine, level: string, message: string): void {
    this.world.trace(`${machine.name}: ${level} ${message}`)
    if (message.startsWith('this node votes and leads no more')) this.gaveUp(machine)
  }

  private gaveUp(machine: Machine): void {
    const { world, failed } = this
    if (this.calm && !failed.has(machine)) world.schedule(world.time, () => this.restart(machine))
    failed.add(machine)
  }

  /** An operator starts a member again that has given up. */
  restart(machine: Machine): void {
    this.failed.delete(machine)
    machine.crash('kill')
    this.start(machine, false)
  }

  /** The application: works while it leads, and sometimes leaves or does not listen. */
  private async lead(process: VirtualProcess, role: Role): Promise<void> {
    while (process.alive) {
      for await (const term of role.terms()) {
        this.oracle.works(process, term.token, true)
        await this.work(process, term)
        this.oracle.works(process, term.token, false)
        if (!this.calm && happens(this.chance, 0.2)) break
      }
      await this.sleep(process, between(this.chance, 1, this.settings.lease))
    }
  }

  private async work(process: VirtualProcess, term: LeaderTerm): Promise<void> {
    const { chance } = this
    const { lease, work } = this.settings
    const goesOn = () => (work === 'stubborn' && !this.calm ? term.valid : !term.signal.aborted)
    while (process.alive && goesOn()) {
      if (term.valid) this.write(process, term.token)
      await this.sleep(process, between(chance, 1, lease / 3))
      if (!this.calm && happens(chance, work === 'restless' ? 0.5 : 0.02)) return
    }
    // Some work does not end when it should.
    if (!this.calm && happens(chance, 0.1)) await this.sleep(process, between(chance, 0, 3 * lease))
  }

  private write(process: VirtualProcess, token: number): void {
    const { world, network } = this
    world.schedule(world.time + network.usualDelay(), () => {
      world.executed = true
      void this.fence.write(token, process)
    })
  }

  private sleep(process: VirtualProcess, milliseconds: number): Promise<void> {
    return new Promise((resolve) => void process.clock.setTimeout(resolve, milliseconds))
  }

  private problem(machine: Machine, error: unknown): void {
    if (machine.process === null) return
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.world.trace(`${machine.name} threw ${String(error)}`)
    this.errors.push(`${machine.name}: ${text}`)
  }
}
