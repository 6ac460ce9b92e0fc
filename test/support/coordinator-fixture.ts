import { coordinator } from '../../src/coordinator/coordinator.ts'
import type { Environment } from '../../src/coordinator/environment.ts'
import type { CoordinatorNode, Role } from '../../src/coordinator/node.ts'
import type { LogEntry } from '../../src/coordinator/operations/log.ts'
import type { CoordinatorOptions, RoleOptions } from '../../src/coordinator/options.ts'
import { memoryDisk } from '../../src/coordinator/storage/folder-disk.ts'
import { Random } from '../../src/core/runtime/random.ts'
import { VirtualNetwork } from './virtual-network.ts'

/** The lease of all nodes, in milliseconds. */
export const LEASE = 1000

/** Coordinators in a virtual network, all by one clock. */
export class VirtualCoordinators {
  readonly net = new VirtualNetwork()
  readonly nodes = new Map<string, CoordinatorNode>()
  readonly logs: (LogEntry & { readonly node: string; readonly at: number })[] = []
  readonly members: Record<string, string>
  private readonly random = Random.from(16)

  constructor(readonly names: readonly string[]) {
    this.members = Object.fromEntries(names.map((name) => [name, `${hostOf(name)}:7001`]))
  }

  /** Starts all members of a new cluster, which do not vote yet. */
  static async starting(names: string, options: Partial<CoordinatorOptions> = {}) {
    const cluster = new VirtualCoordinators([...names])
    await Promise.all(
      cluster.names.map((name) => cluster.start(name, { bootstrap: true, ...options })),
    )
    return cluster
  }

  /** The same, and waits until they vote. */
  static async started(names: string, options: Partial<CoordinatorOptions> = {}) {
    const cluster = await VirtualCoordinators.starting(names, options)
    await cluster.until(() => cluster.logged('voting').length === names.length)
    return cluster
  }

  environment(name: string): Environment {
    return {
      clock: this.net.clock,
      disk: memoryDisk(),
      network: this.net.at(hostOf(name)),
      randomBytes: (count) => Uint8Array.from({ length: count }, () => this.random.below(256)),
    }
  }

  async start(
    name: string,
    options: Partial<CoordinatorOptions> = {},
    environment: Partial<Environment> = {},
  ): Promise<CoordinatorNode> {
    const { net, members } = this
    const opening = coordinator(
      {
        ...{ cluster: 'test', me: name, members, storage: 'memory', insecure: true, lease: LEASE },
        log: (entry) => this.logs.push({ ...entry, node: name, at: net.clock.now() }),
        ...options,
      },
      { ...this.environment(name), ...environment },
    )
    const node = await opening
    this.nodes.set(name, node)
    return node
  }

  /** Declares a role at these nodes, by default at all. */
  roles(name: string, options: RoleOptions = {}, at = [...this.nodes.keys()]): Map<string, Role> {
    return new Map(at.map((node) => [node, this.nodes.get(node)!.role(name, options)]))
  }

  pass(milliseconds: number): Promise<void> {
    return this.net.pass(milliseconds)
  }

  /** Lets time pass until something holds; returns how long that took. */
  async until(holds: () => boolean, most = 20_000): Promise<number> {
    const begun = this.net.clock.now()
    while (!holds()) {
      if (this.net.clock.now() - begun > most) throw new Error(`not within ${most} ms`)
      await this.pass(1)
    }
    return this.net.clock.now() - begun
  }

  logged(event: string): (LogEntry & { readonly node: string; readonly at: number })[] {
    return this.logs.filter((entry) => entry.event === event)
  }

  /** Cuts a node off from all others, or connects it again. */
  isolate(name: string, isolated = true): void {
    for (const other of this.names.filter((one) => one !== name))
      for (const [from, to] of [
        [name, other],
        [other, name],
      ])
        this.net.block(hostOf(from), hostOf(to), isolated)
  }

  async close(): Promise<void> {
    const closing = Promise.all([...this.nodes.values()].map((node) => node.close({ drain: 0 })))
    await this.pass(50)
    await closing
  }
}

/** Who leads at this moment, by their own account. */
export function leadersOf(roles: ReadonlyMap<string, Role>): string[] {
  return [...roles].filter(([, role]) => role.leads()).map(([name]) => name)
}

/** On loopback, so that processes can see each other; by the first letter of the name. */
export function hostOf(name: string): string {
  return `127.0.0.${name.charCodeAt(0)}`
}
