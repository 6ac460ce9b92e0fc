import type { ProtocolRange } from '../../src/cluster/mesh/handshake.ts'
import { Mesh } from '../../src/cluster/mesh/mesh.ts'
import type { MeshOptions } from '../../src/cluster/mesh/mesh-options.ts'
import type { LinkRefusal, PeerInfo } from '../../src/cluster/mesh/peer.ts'
import type { Environment } from '../../src/coordinator/environment.ts'
import { VirtualNetwork } from './virtual-network.ts'

export const LEASE = 1000

/** A mesh with what its listener has seen. */
export interface WatchedMesh {
  readonly mesh: Mesh
  /** `up b`, `down b: why`, `b says 1,2,3`. */
  readonly events: string[]
  readonly refused: LinkRefusal[]
  readonly lines: string[]
  readonly peers: Map<string, PeerInfo>
}

export interface GivenMesh extends Partial<MeshOptions> {
  readonly protocol?: ProtocolRange
  upped?(name: string): void
  received?(from: string, bytes: Uint8Array): void
}

export async function watchedMesh(
  member: string,
  environment: Omit<Environment, 'disk'>,
  { protocol, upped, received, ...options }: GivenMesh,
): Promise<WatchedMesh> {
  const events: string[] = []
  const refused: LinkRefusal[] = []
  const lines: string[] = []
  const peers = new Map<string, PeerInfo>()
  const mesh = await Mesh.open(
    {
      cluster: 'billing',
      member,
      incarnation: `${member}-1`,
      kind: 'member',
      listen: { host: '127.0.0.1', port: 0 },
      version: () => ({ term: 1, number: 1 }),
      knows: () => true,
      lease: LEASE,
      limit: LEASE,
      drift: 0.05,
      security: { tls: false, secret: 'a secret of sixteen bytes' },
      log: (line) => lines.push(line),
      ...options,
    },
    environment,
    {
      up: (name, peer) => {
        events.push(`up ${name}`)
        peers.set(name, peer)
        upped?.(name)
      },
      down: (name, why) => events.push(`down ${name}: ${why}`),
      received: (name, bytes) => {
        received?.(name, bytes)
        events.push(`${name} says ${[...bytes]}`)
      },
      refused: (refusal) => refused.push(refusal),
    },
    protocol,
  )
  return { mesh, events, refused, lines, peers }
}

/** Meshes over one virtual network, on hosts that are named like their members. */
export class VirtualMeshes {
  readonly net = new VirtualNetwork()
  private readonly all: Mesh[] = []
  private drawn = 0

  async start(
    member: string,
    given: GivenMesh & Partial<Pick<Environment, 'processes'>> & { host?: string } = {},
  ): Promise<WatchedMesh> {
    const { host = member, processes, ...options } = given
    const environment = {
      clock: this.net.clock,
      network: this.net.at(host),
      randomBytes: (count: number) => Uint8Array.from({ length: count }, () => this.draw()),
      ...(processes === undefined ? {} : { processes }),
    }
    const watched = await watchedMesh(member, environment, {
      listen: { host, port: 7001 },
      ...options,
    })
    this.all.push(watched.mesh)
    return watched
  }

  /** Two members that dial each other. */
  async pair(one: GivenMesh = {}, other: GivenMesh = {}): Promise<[WatchedMesh, WatchedMesh]> {
    const both: [WatchedMesh, WatchedMesh] = [
      await this.start('a', one),
      await this.start('b', other),
    ]
    for (const { mesh } of both) mesh.dial(at('a', 'b'))
    await this.net.pass(LEASE)
    return both
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((mesh) => mesh.close()))
  }

  private draw(): number {
    this.drawn = (this.drawn * 5 + 7) % 251
    return this.drawn
  }
}

/** The addresses of members on hosts of their names. */
export function at(...names: string[]): Map<string, string> {
  return new Map(names.map((name) => [name, `${name}:7001`]))
}
