import type { ConfigurationVersion } from '../../cluster/mesh/peer.ts'
import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import {
  type Configuration,
  MOST_MEMBERS,
  readConfiguration,
  readList,
  readTerms,
  readVersion,
  writeConfiguration,
  writeTerms,
  writeVersion,
} from './configuration.ts'
import type { GivenMember } from './host.ts'

/** How a field of a message is written and read. */
interface FieldCodec<T> {
  write(out: ByteWriter, value: T): void
  read(input: ByteReader): T
}

const nat: FieldCodec<number> = {
  write: (out, value) => out.nat(value),
  read: (input) => input.nat(),
}
const text: FieldCodec<string> = {
  write: (out, value) => out.text(value),
  read: (input) => input.text(),
}
const flag: FieldCodec<boolean> = {
  write: (out, value) => out.byte(value ? 1 : 0),
  read: (input) => input.byte() === 1,
}
const version = { write: writeVersion, read: readVersion }
const terms = { write: writeTerms, read: readTerms }
const configuration = { write: writeConfiguration, read: readConfiguration }

function maybe<T>(codec: FieldCodec<T>): FieldCodec<T | null> {
  return {
    write(out, value) {
      flag.write(out, value !== null)
      if (value !== null) codec.write(out, value)
    },
    read: (input) => (flag.read(input) ? codec.read(input) : null),
  }
}

const names: FieldCodec<readonly string[]> = {
  write(out, values) {
    out.nat(values.length)
    for (const name of values) out.text(name)
  },
  read: (input) => readList(input, MOST_MEMBERS, () => input.text()),
}

const givenMembers: FieldCodec<ReadonlyMap<string, GivenMember>> = {
  write(out, values) {
    out.nat(values.size)
    for (const [name, { address, kind }] of values) {
      out.text(name)
      out.text(address)
      flag.write(out, kind === 'witness')
    }
  },
  read(input) {
    const one = () => {
      const [name, address] = [input.text(), input.text()]
      const kind: GivenMember['kind'] = flag.read(input) ? 'witness' : 'voter'
      return [name, { address, kind }] as const
    }
    return new Map(readList(input, MOST_MEMBERS, one))
  },
}

/**
 * The messages of the membership. Every `seq` is chosen by who asks, and comes back in the answer.
 * Their order is part of the protocol: new ones are added at the end.
 */
const LAYOUTS = {
  /** Asks for a newer configuration than one's own; the answer is `news`. */
  ask: {},
  /** The newest configuration that the sender has. */
  news: { configuration },
  /** Asks what a member is and knows. It promises nothing by its answer. */
  query: { seq: nat },
  facts: {
    seq: nat,
    /** It has a memory: it votes, and what it says about terms counts. */
    memory: flag,
    store: text,
    /** The mark of a bootstrap on its disk; empty if there is none. */
    mark: text,
    /** It was started to bootstrap. */
    bootstrap: flag,
    /** The members that it was given. */
    given: givenMembers,
    promised: nat,
    limit: nat,
    terms,
    configuration: maybe(configuration),
  },
  /** A new leader asks for the newest configuration, and that older leaders are refused. */
  read: { seq: nat, term: nat },
  promise: { seq: nat, granted: flag, promised: nat, limit: nat, configuration },
  propose: { seq: nat, configuration },
  accepted: { seq: nat, granted: flag, promised: nat, limit: nat },
  /** Asks a voter that has exactly this configuration for the highest terms it has granted. */
  floors: { seq: nat, version },
  terms: { seq: nat, granted: flag, terms },
  /** The first configuration, for everybody's disk before anybody grants. */
  mark: { seq: nat, configuration },
  marked: { seq: nat, granted: flag, limit: nat, problem: text },
  /** All have the mark on disk; after this wait they may grant. */
  ready: { mark: text, wait: nat },
  /** Asks the holder of the role `members` for a change. */
  change: { id: text, add: givenMembers, remove: names },
  changed: { id: text, problem: text },
  /**
   * How far the memory of the sender reaches, which is the member with this number, and how far it
   * reached when its process started.
   */
  memory: { member: nat, process: text, generation: nat, count: nat, basis: nat },
  /** The furthest that the sender knows of the memory of earlier processes of the receiver. */
  recalls: { member: nat, generation: nat, count: nat },
}

type Layouts = typeof LAYOUTS
type BodyOf<Layout> = {
  readonly [Field in keyof Layout]: Layout[Field] extends FieldCodec<infer T> ? T : never
}
export type MembershipMessageType = keyof Layouts
/** A message of one type. */
export type MembershipMessageOf<Type extends MembershipMessageType> = Type extends unknown
  ? { readonly type: Type } & BodyOf<Layouts[Type]>
  : never
export type MembershipMessage = MembershipMessageOf<MembershipMessageType>

const TYPES = Object.keys(LAYOUTS) as MembershipMessageType[]
const FIELDS = TYPES.map((type) => Object.entries(LAYOUTS[type]) as [string, FieldCodec<unknown>][])

/** The largest term that a message names. */
export function largestTermIn(message: MembershipMessage): number {
  const { term = 0, promised = 0, terms, version, configuration } = message as NamesTerms
  const floors = configuration?.floors.values() ?? []
  const versions = [version, configuration?.version].map((one) => one?.term ?? 0)
  return Math.max(term, promised, ...versions, ...floors, ...(terms?.values() ?? []))
}

/** The fields of messages that hold terms. */
interface NamesTerms {
  readonly term?: number
  readonly promised?: number
  readonly terms?: ReadonlyMap<string, number>
  readonly version?: ConfigurationVersion
  readonly configuration?: Configuration | null
}

export function writeMessage(message: MembershipMessage): Uint8Array {
  const out = new ByteWriter()
  const code = TYPES.indexOf(message.type)
  out.byte(code)
  const body = message as unknown as Record<string, unknown>
  for (const [name, codec] of FIELDS[code]) codec.write(out, body[name])
  return out.take()
}

/** Throws MalformedBytes unless all bytes together are one message. */
export function readMessage(bytes: Uint8Array): MembershipMessage {
  const input = new ByteReader(bytes)
  const code = input.byte()
  if (code >= TYPES.length) throw new MalformedBytes(`unknown message of the membership: ${code}`)
  const body = FIELDS[code].map(([name, codec]) => [name, codec.read(input)] as const)
  input.end()
  return { type: TYPES[code], ...Object.fromEntries(body) } as MembershipMessage
}
