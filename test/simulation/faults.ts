import type { MembershipChange } from '../../src/coordinator/membership/host.ts'
import type { Role } from '../../src/coordinator/node.ts'
import type { RunningNode } from '../../src/coordinator/running-node.ts'
import type { Random } from '../../src/core/runtime/random.ts'
import type { Cluster } from './cluster.ts'
import type { FaultName } from './settings.ts'
import type { DiskFault, MachineDisk } from './world/disk.ts'
import type { Machine } from './world/machine.ts'
import { between, happens, oneFrom } from './world/world.ts'

/** In leases: a start without storage waits for one before it votes. */
const TWIN_LIFE = 0.8

/** Lets things go wrong, at random, and mends them all in the end. */
export class FaultInjector {
  private readonly random: Random
  private lostDisks = 0
  private over = false

  constructor(private readonly cluster: Cluster) {
    this.random = cluster.world.random.split('faults')
  }

  start(): void {
    const { world, settings } = this.cluster
    world.schedule(settings.begin, () => {
      this.cluster.network.rough = true
      this.next()
      if (settings.drops) this.nextDrop(this.random.split('drops'))
    })
    world.schedule(settings.heal, () => this.mend())
  }

  /** Somebody has begun to lead: what goes wrong now is more interesting than at other times. */
  elected(): void {
    const { world, settings } = this.cluster
    const { faults, lease, begin } = settings
    if (this.over || world.time < begin || faults.length === 0 || happens(this.random, 0.6)) return
    const delay = between(this.random, 0, happens(this.random, 0.5) ? 0.02 : 0.5) * lease
    world.schedule(world.time + delay, () => {
      if (!this.over) this.inject(oneFrom(this.random, faults))
    })
  }

  private next(): void {
    const { world, settings } = this.cluster
    if (this.over) return
    if (settings.faults.length > 0) this.inject(oneFrom(this.random, settings.faults))
    const pause = -Math.log(1 - this.random.unit() * 0.99) * settings.pause
    world.schedule(world.time + pause, () => this.next())
  }

  /** A member drops a connection, for a reason of its own. */
  private nextDrop(random: Random): void {
    const { world, settings, used } = this.cluster
    if (this.over) return
    const [machine, other] = [oneFrom(random, used), oneFrom(random, used)]
    const node = this.cluster.nodeOn(machine) as RunningNode | null
    if (node !== null)
      machine.process!.post(0, () => node.connections.drop(other.name, 'for no reason'))
    world.schedule(world.time + random.unit() * settings.lease, () => this.nextDrop(random))
  }

  private inject(fault: FaultName): void {
    const { cluster, random } = this
    const leaders = cluster.used.filter((member) => cluster.roleOn(member)?.leads())
    const some = leaders.length > 0 && happens(random, 0.5) ? leaders : cluster.used
    const machine = oneFrom(random, some)
    cluster.world.trace(`fault ${fault} at ${machine.name}`)
    this.effects[fault](machine, between(random, 0.01, 2.5) * cluster.settings.lease)
  }

  private readonly effects: Readonly<Record<FaultName, (on: Machine, time: number) => void>> = {
    kill: (machine) => this.crash(machine, 'kill'),
    power: (machine) => this.crash(machine, 'power'),
    'new-disk': (machine) => this.crash(machine, 'power', (disk) => disk.replace()),
    rot: (machine) => this.crash(machine, 'power', (disk) => disk.rot()),
    pause: (machine, time) => machine.up && machine.pause(time),
    suspend: (machine, time) => machine.up && machine.suspend(time),
    isolate: (machine, time) => this.cut(this.links([machine], false), time),
    link: (machine, time) => this.cut(this.linksTo(machine), time),
    'one-way': (machine, time) => this.cut(this.links([machine], true), time),
    partition: (_, time) => {
      const some = this.cluster.used.filter(() => happens(this.random, 0.5))
      this.cut(this.links(some, false), time)
    },
    'slow-link': (machine, time) => this.delay(this.links([machine], true), time),
    'slow-disk': (machine, time) => this.spoil(machine, ['slow'], time),
    'bad-disk': (machine, time) => this.spoil(machine, ['full', 'read-only'], time),
    resign: (machine) => this.ask(machine, (role) => role.resign()),
    transfer: (machine) => {
      const { name } = oneFrom(this.random, this.cluster.used)
      this.ask(machine, (role) => role.transfer(name))
    },
    members: (machine) => this.change(machine),
    twin: (machine) => this.twin(machine),
  }

  /** It never lives long enough to vote: the storage of a member must be lost before that. */
  private twin(machine: Machine): void {
    const { cluster, random } = this
    const { world, settings } = cluster
    const process = cluster.startTwin(machine)
    if (process === null) return
    world.schedule(world.time + between(random, 0.1, TWIN_LIFE) * settings.lease, () => {
      if (process.alive) process.machine.crash('kill')
    })
  }

  /** Members are added or removed, or several are replaced in one change. */
  private change(machine: Machine): void {
    const { cluster, random } = this
    const node = cluster.nodeOn(machine)
    if (node === null) return
    const present = Object.keys(node.members)
    const removes = present.length > 2 && (present.length >= 5 || happens(random, 0.5))
    const change = happens(random, 0.4)
      ? this.replacement(present)
      : removes
        ? { remove: [oneFrom(random, present)] }
        : this.addition(present)
    if (change !== null) machine.process?.post(0, () => void node.change(change).catch(() => {}))
  }

  /** Two members for two others: majorities before and after need not have a member in common. */
  private replacement(present: readonly string[]): MembershipChange | null {
    const { cluster } = this
    const added = [cluster.takeSpare(), cluster.takeSpare()].filter((one) => one !== null)
    if (added.length < 2) return null
    for (const machine of added) if (!machine.up) cluster.start(machine, false)
    return {
      add: Object.fromEntries(added.map((one) => [one.name, cluster.addressOf(one)])),
      remove: present.slice(-2),
    }
  }

  /** A new machine, or one that was a member before. */
  private addition(present: readonly string[]): MembershipChange | null {
    const { cluster, random } = this
    const former = cluster.used.filter(({ name }) => !present.includes(name))
    const again = former.length > 0 && happens(random, 0.3)
    const machine = again ? oneFrom(random, former) : cluster.takeSpare()
    if (machine === null) return null
    if (!machine.up) cluster.start(machine, false)
    return { add: { [machine.name]: cluster.addressOf(machine) } }
  }

  /** It dies now, or in the middle of something; then it starts again. */
  private crash(
    machine: Machine,
    how: 'kill' | 'power',
    losesMemory: ((disk: MachineDisk) => void) | null = null,
  ): void {
    const { cluster, random } = this
    const { world, settings } = cluster
    if (!machine.up) return
    const survives = this.lostDisks < Math.floor((settings.n - 1) / 2)
    if (losesMemory !== null && !survives) return
    if (losesMemory !== null) this.lostDisks++
    machine.dying = how
    const { process } = machine
    const restart = () => {
      if (machine.process === process) machine.crash(how)
      if (machine.up) return
      losesMemory?.(machine.disk)
      cluster.start(machine, false)
    }
    if (happens(random, 0.5)) machine.crash(how)
    else process!.dieAt(1 + random.below(30))
    const away = between(random, 0.001, happens(random, 0.5) ? 0.3 : 3) * settings.lease
    world.schedule(Math.min(world.time + away, settings.heal), restart)
  }

  /** The links between some machines and all others; in one direction only, if so. */
  private links(some: readonly Machine[], oneWay: boolean): [Machine, Machine][] {
    const { used } = this.cluster
    const others = used.filter((machine) => !some.includes(machine))
    const out = some.flatMap((one) => others.map((other): [Machine, Machine] => [one, other]))
    const back = out.map(([one, other]): [Machine, Machine] => [other, one])
    if (!oneWay) return [...out, ...back]
    const way = happens(this.random, 0.5) ? out : back
    return happens(this.random, 0.5) ? way : way.slice(0, 1)
  }

  /** Both directions between a machine and one other. */
  private linksTo(machine: Machine): [Machine, Machine][] {
    const others = this.cluster.used.filter((other) => other !== machine)
    const other = oneFrom(this.random, others)
    return [
      [machine, other],
      [other, machine],
    ]
  }

  private cut(links: readonly [Machine, Machine][], time: number): void {
    const { world, network } = this.cluster
    for (const [from, to] of links) network.cut(from, to)
    world.schedule(world.time + time, () => {
      if (!this.over) for (const [from, to] of links) network.heal(from, to)
    })
  }

  private delay(links: readonly [Machine, Machine][], time: number): void {
    const { world, network, settings } = this.cluster
    const delay = between(this.random, 0, settings.lease / 2)
    for (const [from, to] of links) network.slow(from, to, delay)
    world.schedule(world.time + time, () => {
      for (const [from, to] of links) network.slow(from, to, 0)
    })
  }

  private spoil({ disk }: Machine, faults: readonly DiskFault[], time: number): void {
    const { world } = this.cluster
    disk.fault = oneFrom(this.random, faults)
    world.schedule(world.time + time, () => {
      disk.fault = 'none'
    })
  }

  /** The application asks for something; that it fails then is no defect. */
  private ask(machine: Machine, request: (role: Role) => Promise<unknown>): void {
    const role = this.cluster.roleOn(machine)
    if (role !== null) machine.process?.post(0, () => void request(role).catch(() => {}))
  }

  /** From now on everything works; members that gave up are started again. */
  private mend(): void {
    const { network, machines, used, failed, world } = this.cluster
    world.trace('everything is mended')
    this.over = true
    network.healAll()
    this.cluster.calmDown()
    machines.at(-1)!.crash('kill')
    for (const machine of machines) machine.disk.fault = 'none'
    for (const machine of used) {
      machine.process?.dieAt(Number.POSITIVE_INFINITY)
      machine.resume()
      if (failed.has(machine) || !machine.up) this.cluster.restart(machine)
    }
  }
}
