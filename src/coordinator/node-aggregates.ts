import type { Aggregation } from '../algorithms/aggregation.ts'
import { type AggregateOptions, Aggregates } from '../cluster/aggregates.ts'
import { IDS } from '../cluster/dynamic-keys.ts'
import type { LiveAggregate } from '../cluster/live-aggregate.ts'
import type { Link } from '../core/language/net.ts'
import { FrameWriter, readAggregate } from './frames.ts'
import type { RoleHost } from './roles/role-host.ts'

type AggregateHost = Pick<RoleHost, 'clock' | 'log' | 'links' | 'ownNumber' | 'isUp' | 'random'>

/** The aggregates of a node, over its connections. Positions are the numbers of the members. */
export class NodeAggregates {
  private readonly aggregates: Aggregates
  private readonly frames = new FrameWriter()
  private names: ReadonlyMap<Link, string> = new Map()
  /** Lower numbers: also those that no member has, which are never up, hold no 1 of a count. */
  private readonly lower = new Map<Link, number>()

  constructor(
    private readonly host: AggregateHost,
    send: (member: string, bytes: Uint8Array) => void,
  ) {
    const context = {
      get position() {
        return host.ownNumber ?? 0
      },
      n: IDS,
      transport: {
        get links() {
          return [...host.links.values()]
        },
      },
      neighbours: this.lower,
      clock: host.clock,
      random: host.random(),
      log: (line: string) => host.log.warn('aggregate', line),
    }
    this.aggregates = new Aggregates(context, {
      send: (link, tag, bytes) => {
        const member = this.names.get(link)
        if (member !== undefined) send(member, this.frames.aggregate({ tag, bytes }))
      },
      up: (link) => {
        const member = this.names.get(link)
        return member !== undefined && host.isUp(member)
      },
    })
  }

  add(what: string | Aggregation, options: AggregateOptions): LiveAggregate {
    return this.aggregates.add(what, options)
  }

  open(): void {
    this.aggregates.open()
  }

  close(): void {
    this.aggregates.close()
  }

  /** The configuration has changed. */
  reconfigure(): void {
    const { links, ownNumber } = this.host
    this.names = new Map([...links].map(([name, link]) => [link, name]))
    this.lower.clear()
    for (let number = 0; number < (ownNumber ?? 0); number++) this.lower.set(number, number)
    this.aggregates.relink([...links.values()])
  }

  /** A frame of another member; throws MalformedBytes unless it is one. */
  received(member: string, frame: Uint8Array): void {
    const { tag, bytes } = readAggregate(frame)
    const link = this.host.links.get(member)
    if (link !== undefined) this.aggregates.receive(link, tag, bytes)
  }
}
