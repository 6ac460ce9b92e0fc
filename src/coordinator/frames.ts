import type { ConfigurationVersion } from '../cluster/mesh/peer.ts'
import { ByteReader, ByteWriter, MalformedBytes } from '../core/runtime/bytes.ts'
import type { Leader } from './node.ts'

/** Whose frame it is: its first byte. */
export const FRAME = { BEAT: 1, ROLE: 2, MEMBERSHIP: 3, AGGREGATE: 4, STATUS: 5 } as const

/** A beat: the sender lives. Times are microseconds of the clock of the one that is named. */
export interface Beat {
  /** When it was sent, by the clock of the sender. */
  readonly sent: number
  /** The `sent` of the last beat that the sender had from the receiver; 0 for none. */
  readonly echo: number
  /** How long ago that was, when this beat was sent. */
  readonly held: number
  /** Milliseconds between two beats of the sender, whose lease may differ. */
  readonly interval: number
}

/** What others are told about a role: who takes part in it, and for observers who leads. */
export interface RoleReport {
  /** The name of the definition. */
  readonly definition: string
  /** Whether the sender votes for the role. */
  readonly votes: boolean
  /** The key of the sender in the election that nominates. */
  readonly key: number
  /** The key that it would have in an election now; 0 where it does not stand. */
  readonly present: number
  readonly leader: Leader | null
}

/** A message of the definition of a role. */
export interface RoleFrame {
  readonly role: string
  /** The definition whose message it is; empty for those of the lease, which all voters know. */
  readonly definition: string
  readonly version: ConfigurationVersion
  /** The message as `Wire` writes it. */
  readonly bytes: Uint8Array
}

/** An aggregate's message, with the tag of the aggregate. */
export interface AggregateFrame {
  readonly tag: number
  readonly bytes: Uint8Array
}

/** More roles than this in one frame are refused. */
const MOST_ROLES = 10_000

/** Writes the frames of a coordinator, each with its first byte. */
export class FrameWriter {
  private readonly out = new ByteWriter()

  beat({ sent, echo, held, interval }: Beat): Uint8Array {
    const { out } = this
    out.byte(FRAME.BEAT)
    for (const time of [sent, echo, held, interval]) out.nat(time)
    return out.take()
  }

  role({ role, definition, version, bytes }: RoleFrame): Uint8Array {
    const { out } = this
    out.byte(FRAME.ROLE)
    out.text(role)
    out.text(definition)
    out.nat(version.term)
    out.nat(version.number)
    out.raw(bytes)
    return out.take()
  }

  aggregate({ tag, bytes }: AggregateFrame): Uint8Array {
    const { out } = this
    out.byte(FRAME.AGGREGATE)
    out.nat(tag)
    out.raw(bytes)
    return out.take()
  }

  /** The roles that have changed since the last frame of this kind. */
  status(reports: ReadonlyMap<string, RoleReport>): Uint8Array {
    const { out } = this
    out.byte(FRAME.STATUS)
    out.nat(reports.size)
    for (const [role, { definition, votes, key, present, leader }] of reports) {
      out.text(role)
      out.text(definition)
      out.byte(votes ? 1 : 0)
      out.nat(key)
      out.nat(present)
      out.text(leader?.id ?? '')
      out.nat(leader?.term ?? 0)
    }
    return out.take()
  }
}

/** Reads a beat; like all readers it throws MalformedBytes unless all bytes are one frame. */
export function readBeat(bytes: Uint8Array): Beat {
  const input = bodyOf(bytes)
  const [sent, echo, held, interval] = [input.nat(), input.nat(), input.nat(), input.nat()]
  input.end()
  return { sent, echo, held, interval }
}

export function readRole(bytes: Uint8Array): RoleFrame {
  const input = bodyOf(bytes)
  const [role, definition] = [input.text(), input.text()]
  const version = { term: input.nat(), number: input.nat() }
  return { role, definition, version, bytes: input.rest() }
}

export function readAggregate(bytes: Uint8Array): AggregateFrame {
  const input = bodyOf(bytes)
  return { tag: input.nat(), bytes: input.rest() }
}

export function readStatus(bytes: Uint8Array): ReadonlyMap<string, RoleReport> {
  const input = bodyOf(bytes)
  const entries = listOf(input, () => {
    const role = input.text()
    const definition = input.text()
    const votes = input.byte() === 1
    const [key, present] = [input.nat(), input.nat()]
    const [id, term] = [input.text(), input.nat()]
    const leader = id === '' ? null : { id, term }
    return [role, { definition, votes, key, present, leader }] as const
  })
  input.end()
  return new Map(entries)
}

function bodyOf(bytes: Uint8Array): ByteReader {
  const input = new ByteReader(bytes)
  input.byte()
  return input
}

function listOf<T>(input: ByteReader, read: () => T): T[] {
  const length = input.nat()
  if (length > MOST_ROLES) throw new MalformedBytes(`a frame with ${length} roles`)
  return Array.from({ length }, read)
}
