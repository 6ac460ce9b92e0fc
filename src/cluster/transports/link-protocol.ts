import type { Link } from '../../core/language/net.ts'
import { ByteReader, ByteWriter } from '../../core/runtime/bytes.ts'
import { shown } from '../mesh/handshake.ts'
import type { MeshPurpose } from '../mesh/mesh-options.ts'
import type { MemberLink } from './neighbour.ts'
import type { LinkIdentity } from './transport.ts'

/** Bytes of the longest number of a link. */
const NUMBER_LENGTH = 4

/**
 * Frames of several links over one connection: each begins with the number of its link at the end
 * that receives it, plus 1, since frames that begin with 0 are those of the mesh.
 */
export class LinkFrames {
  private readonly numbers: ReadonlyMap<Link, Uint8Array>

  constructor(links: readonly MemberLink[]) {
    this.numbers = new Map(
      links.map(({ link, peer }) => {
        const out = new ByteWriter()
        out.nat(peer.link + 1)
        return [link, out.take()]
      }),
    )
  }

  /** The longest frame on a connection, where those of links have at most this length. */
  longest(frame: number): number {
    return frame + NUMBER_LENGTH
  }

  write(link: Link, bytes: Uint8Array): Uint8Array {
    const number = this.numbers.get(link)!
    const whole = new Uint8Array(number.length + bytes.length)
    whole.set(number)
    whole.set(bytes, number.length)
    return whole
  }

  read(bytes: Uint8Array): { readonly link: Link; readonly frame: Uint8Array } {
    const input = new ByteReader(bytes)
    return { link: input.nat() - 1, frame: input.rest() }
  }
}

/** What members of an election compare: the number of members, and a schema in lines. */
export function electionPurpose({ n, schema }: LinkIdentity): MeshPurpose {
  return { text: `${n}\n${schema}`, disagreement }
}

function disagreement(there: string, here: string): string | null {
  if (there === here) return null
  const [theirN, theirs, ...theirSettings] = there.split('\n')
  const [ourN, ours, ...ourSettings] = here.split('\n')
  if (theirs !== ours) return differ('the algorithm', theirs ?? '', ours)
  if (theirN !== ourN) return differ('the number of members', Number(theirN), Number(ourN))
  const others = (all: readonly string[], known: readonly string[]) =>
    shown(all.filter((setting) => !known.includes(setting)).join(', ') || 'none').slice(1, -1)
  return (
    `the settings differ: ${others(theirSettings, ourSettings)} there, ` +
    `${others(ourSettings, theirSettings)} here`
  )
}

function differ(what: string, there: unknown, here: unknown): string {
  return `${what} is ${shown(there)} there and ${shown(here)} here`
}
