import type { Link } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'

/** One link of a member, and where it leads. */
export interface MemberLink {
  readonly link: Link
  /** It is none of the network: the token of termination detection goes over it. */
  readonly aside?: true
  readonly peer: { readonly position: number; readonly link: Link }
}

/** The links of a position in a network, and those aside to the next and the previous position. */
export function memberLinks(topology: Topology, position: number): MemberLink[] {
  const { n } = topology
  const links = linksOf(topology, position).map(
    (link): MemberLink => ({
      link,
      peer: { position: topology.neighbor(position, link), link: topology.back(position, link) },
    }),
  )
  const asideTo = (other: number, own: number, there: number): MemberLink[] => {
    if (n === 1 || links.some(({ peer }) => peer.position === other)) return []
    const link = asideLink(topology, position, own)
    return [
      { link, aside: true, peer: { position: other, link: asideLink(topology, other, there) } },
    ]
  }
  const [next, previous] = [(position + 1) % n, (position + n - 1) % n]
  return [...links, ...asideTo(next, 0, 1), ...asideTo(previous, 1, 0)]
}

/** The number of a link that is none of the network: 0 to the next position, 1 to the previous. */
function asideLink(topology: Topology, position: number, which: number): Link {
  return topology.firstLink + topology.degree(position) + which
}

/** The link to the next position, over which the token of termination detection goes. */
export function onwardLink(topology: Topology, position: number): Link | null {
  if (topology.degree(position) === 0 && topology.n === 1) return null
  const next = (position + 1) % topology.n
  return memberLinks(topology, position).find(({ peer }) => peer.position === next)!.link
}

/** The name of a position in a mesh. */
export function memberNameAt(position: number): string {
  return `position-${position}`
}

/**
 * A neighbour, and the frames to send again if its connection breaks. Any process can connect and
 * pretend to be it. Until a frame is received from the other end it may be such a process: frames
 * sent so far are kept, and sent again over the next connection. Both ends follow this rule, so
 * that no frame is received twice.
 */
export class Neighbour {
  readonly name: string
  /** The links of this member that lead to it: two on a ring of two. */
  readonly links: readonly Link[]
  up = false
  /** Bytes received over its links. */
  received = 0
  /** It has said goodbye. */
  leaving = false
  /** Nothing is sent or received any more. */
  closed = false
  /** Why it is not connected, as last noted. */
  problem: string | null = null
  private replaceable: boolean
  private kept: Uint8Array[] = []
  private size = 0
  /** Runs from the first break; when it ends the links stay broken. */
  private reconnectTimer: NodeJS.Timeout | undefined

  /**
   * At most `keepLimit` bytes are kept while there is a connection. Lasting links keep nothing:
   * frames sent while they are broken are lost.
   */
  constructor(
    readonly position: number,
    links: readonly MemberLink[],
    private readonly keepLimit: number,
    private readonly lasting: boolean,
  ) {
    this.name = memberNameAt(position)
    this.links = links.map(({ link }) => link)
    this.replaceable = !lasting
  }

  /** Why it cannot be connected now; null where it can. */
  get refusal(): string | null {
    const name = `position ${this.position}`
    if (this.closed) return `${name} has left the election`
    return !this.up || this.lasting || this.mayReconnect ? null : `${name} is connected already`
  }

  /** Returns the frames to send over the new connection. */
  connected(): readonly Uint8Array[] {
    this.up = true
    this.problem = null
    return this.kept
  }

  /** Returns whether the frame can be sent now. */
  keep(frame: Uint8Array): boolean {
    this.size += frame.length
    if (this.received > 0 || (this.size > this.keepLimit && this.up)) this.stopKeeping()
    if (this.replaceable) this.kept.push(frame)
    return this.up
  }

  /** What was received does not count: the receiver discards it. */
  forget(): void {
    this.received = 0
    this.leaving = false
  }

  /** The connection broke. Returns whether another may replace it, until `giveUp` is called. */
  awaitReconnect(within: number, giveUp: () => void): boolean {
    if (!this.mayReconnect) return false
    this.reconnectTimer ??= setTimeout(() => {
      this.stopKeeping()
      if (!this.up) giveUp()
    }, within)
    return true
  }

  close(): void {
    this.closed = true
    this.stopKeeping()
    clearTimeout(this.reconnectTimer)
  }

  /** Whether the frames sent so far would be sent again. */
  private get mayReconnect(): boolean {
    return this.replaceable && !this.leaving && this.received === 0
  }

  private stopKeeping(): void {
    this.replaceable = false
    this.kept = []
  }
}
