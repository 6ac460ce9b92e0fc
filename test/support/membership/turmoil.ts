import {
  type Configuration,
  compareVersions,
  versionText,
} from '../../../src/coordinator/membership/configuration.ts'
import { LEASE, World } from './world.ts'

const NAMES = [...'abcdefg']

/** Everything that may happen to a cluster, one thing after the other, as the seed decides. */
export class Turmoil {
  readonly world: World
  unanswered = 0

  constructor(
    seed: number,
    /** How many disks may be lost. */
    private wipes: number,
    brokenClocks = false,
  ) {
    this.world = new World(seed, brokenClocks)
  }

  async run(steps: number): Promise<void> {
    const { world } = this
    const { random } = world
    const first = NAMES.slice(0, 1 + random.below(4))
    for (const name of first) world.start(name, first, true)
    await world.run(6 * LEASE)
    for (let i = 0; i < steps; i++) {
      this.step()
      await world.run(random.below(LEASE))
    }
  }

  /** Everything works again, and disks that were lost stay as they are. */
  async heal(): Promise<void> {
    const { world } = this
    world.heal()
    for (const machine of world.machines.values()) {
      machine.pausedUntil = 0
      // Some were started to bootstrap, which is refused.
      if (machine.process?.membership.options.bootstrap) world.crash(machine.name)
      if (machine.process === null) world.start(machine.name, NAMES)
    }
    await world.run(40 * LEASE)
  }

  report(seed: number) {
    return { seed, violations: this.world.oracle.violations, unfinished: this.unfinished }
  }

  /** What is not as it should be some time after everything works again. */
  private get unfinished(): string[] {
    const processes = [...this.world.machines.values()].flatMap(({ process }) => process ?? [])
    const newest: Configuration | undefined = processes
      .flatMap(({ membership }) => membership.configuration ?? [])
      .toSorted((one, other) => compareVersions(other.version, one.version))[0]
    if (newest === undefined) return ['nobody has a configuration']
    const behind = processes.filter(({ membership }) => {
      const { mine, standing, version } = membership
      const isIn = newest.members.some(({ name }) => name === membership.options.me)
      if (!isIn) return standing !== 'outside' && standing !== 'removed'
      return standing !== 'voting' || compareVersions(version, newest.version) !== 0 || !mine
    })
    return [
      ...(newest.old === null ? [] : [`${versionText(newest.version)} is joint`]),
      ...behind.map(({ membership }) => `${membership.why} (${membership.standing})`),
      ...(processes.some(({ lease }) => lease.held('work') !== null) ? [] : ['nobody leads']),
      ...(this.unanswered === 0 ? [] : [`${this.unanswered} changes are not answered`]),
    ]
  }

  private step(): void {
    const { world } = this
    const { random } = world
    const machines = [...world.machines.values()]
    const machine = machines[random.below(machines.length)]
    const { name } = machine
    const up = machine.process !== null
    switch (random.below(14)) {
      case 0:
        if (up) world.crash(name)
        return
      case 1:
      case 2:
        if (!up) world.start(name, NAMES, random.below(4) === 0)
        return
      case 3:
        if (up) machine.pausedUntil = world.time + random.below(4 * LEASE)
        return
      case 4:
        world.sides = new Map(machines.map((one) => [one.name, random.below(2)]))
        return
      case 5:
        world.heal()
        return
      case 6:
        world.faults = {
          loss: random.below(40),
          twice: random.below(30),
          delay: 1 + random.below(300),
        }
        return
      case 7:
      case 8: {
        const other = machines[random.below(machines.length)].name
        world.cuts.add(`${name}>${other}`)
        if (random.below(2) === 0) world.cuts.add(`${other}>${name}`)
        return
      }
      case 9:
        if (random.below(3) > 0 || this.wipes === 0) return
        this.wipes--
        world.crash(name)
        world.wipe(name)
        world.start(name, NAMES)
        return
      default:
        if (up) this.change(name)
    }
  }

  private change(at: string): void {
    const { world } = this
    const { random } = world
    const other = () => NAMES[random.below(NAMES.length)]
    const add = random.below(3) > 0 ? [other(), other()].slice(random.below(2)) : []
    const remove = random.below(3) > 0 ? [other()] : []
    for (const name of add)
      if (world.machine(name).process === null && world.machine(name).starts === 0)
        world.start(name, NAMES)
    const added = Object.fromEntries(add.map((name) => [name, `${name}:1`]))
    this.unanswered++
    void world.change(at, { add: added, remove }).then(() => this.unanswered--)
  }
}
