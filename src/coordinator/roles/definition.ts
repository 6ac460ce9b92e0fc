import { catalogue } from '../../algorithms/definitions.ts'
import { bully, leased, quorumLease } from '../../algorithms/index.ts'
import { StableFields } from '../../cluster/node/stable-fields.ts'
import type { Algorithm } from '../../core/language/algorithm.ts'
import type { NetworkFacts } from '../../core/language/theory.ts'
import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import type { Timing } from '../options.ts'

/** The message types that only the application of a node may request: never over the network. */
const REQUESTS: ReadonlySet<string> = new Set(['RESIGN', 'STAND', 'FLOOR', 'GONE'])
const PREFIX = 'leased:'

/**
 * The definition of a role, with the form of its messages and of its stable fields. Those of the
 * lease are the same whatever election nominates, so that every voter can vote.
 */
export class RoleDefinition {
  readonly algorithm: Algorithm
  /** The kinds of the lease's messages in this definition, by their kinds in the lease itself. */
  private readonly ownKinds: readonly number[]
  private readonly leaseKinds: ReadonlyMap<number, number>
  private readonly ask: number

  private constructor(algorithm: Algorithm) {
    this.algorithm = algorithm
    const kindOf = (word: string) => algorithm.kinds.findIndex((kind) => kind.word === word)
    this.ownKinds = quorumLease.kinds.map(({ word }) => kindOf(word))
    this.leaseKinds = new Map(this.ownKinds.map((own, kind) => [own, kind]))
    this.ask = kindOf('ASK')
  }

  /** The lease whose candidates this election nominates; refuses one that cannot. */
  static nominatedBy(nominator: Algorithm = bully): RoleDefinition {
    return new RoleDefinition(leased(nominator))
  }

  /** For a voter that was only told the name: an unknown nominator is left out. */
  static named(name: string): RoleDefinition {
    const nominator = catalogue.find((one) => one.lasting && `${PREFIX}${one.name}` === name)
    return nominator === undefined || nominator.problem !== null
      ? new RoleDefinition(quorumLease)
      : RoleDefinition.nominatedBy(nominator)
  }

  get name(): string {
    return this.algorithm.name
  }

  /** Whether a message asks voters for a grant or for its renewal. */
  asks(bytes: Uint8Array): boolean {
    return bytes[0] === this.ask
  }

  /** A message as it travels: a message of the lease belongs to no definition. */
  outgoing(bytes: Uint8Array): { readonly definition: string; readonly bytes: Uint8Array } {
    const kind = this.leaseKinds.get(bytes[0])
    if (kind === undefined) return { definition: this.name, bytes }
    const message = bytes.slice()
    message[0] = kind
    return { definition: '', bytes: message }
  }

  /** A message as a node of this definition reads it; null if it belongs to another one. */
  incoming(definition: string, bytes: Uint8Array): Uint8Array | null {
    if (definition !== '') {
      if (definition !== this.name || this.leaseKinds.has(bytes[0])) return null
      return bytes
    }
    const own = this.ownKinds[bytes[0]]
    if (own === undefined || REQUESTS.has(quorumLease.kinds[bytes[0]].word))
      throw new MalformedBytes(`a message of the lease with the number ${bytes[0]}`)
    const message = bytes.slice()
    message[0] = own
    return message
  }

  /** What is written to disk: the fields of the lease, then all fields of this definition. */
  record(fields: Uint8Array): Uint8Array {
    const state = this.algorithm.layout.create(0, {})
    StableFields.restore(this.algorithm, fields, state)
    const lease = new StableFields(quorumLease, quorumLease.layout.create(0, {})).bytesOf(state)
    const out = new ByteWriter()
    out.nat(lease.length)
    out.raw(lease)
    out.text(this.name)
    out.raw(fields)
    return out.take()
  }

  /** The stable fields in a record; those of the lease alone if another definition wrote it. */
  fieldsIn(record: Uint8Array): Uint8Array {
    const { lease, definition, fields } = partsOf(record)
    if (definition === this.name) return fields
    const state = this.algorithm.layout.create(0, {})
    StableFields.restore(quorumLease, lease, state)
    return new StableFields(this.algorithm, state).bytesOf(state)
  }

  /** The parameters of the definition at this node, in milliseconds. */
  parameters(
    timing: Timing,
    facts: Pick<NetworkFacts, 'n' | 'largestId'>,
  ): Record<string, number | string> {
    const { lease, limit, drift, margin } = timing
    const all: NetworkFacts = {
      ...facts,
      links: (facts.n * (facts.n - 1)) / 2,
      smallestId: 0,
      starters: facts.n,
      smallestStarter: 0,
      together: false,
      diameter: 1,
      leaderId: null,
      largestDelay: Math.ceil(lease / 20),
    }
    const usual = Object.entries(this.algorithm.params).map(([name, param]) => [
      name,
      param.value(all),
    ])
    return {
      ...Object.fromEntries(usual),
      lease,
      limit,
      drift,
      margin: Math.ceil(margin),
      hold: 0,
      fallback: Math.ceil(lease / 10),
    }
  }
}

/** The definition that wrote a record, and the highest term that the voter had granted. */
export function recordedRole(record: Uint8Array): { definition: string; term: number } {
  const { lease, definition } = partsOf(record)
  const state = quorumLease.layout.create(0, {})
  StableFields.restore(quorumLease, lease, state)
  return { definition, term: state.term as number }
}

function partsOf(record: Uint8Array) {
  const input = new ByteReader(record)
  const rest = input.nat()
  const lease = new Uint8Array(rest)
  for (let i = 0; i < rest; i++) lease[i] = input.byte()
  return { lease, definition: input.text(), fields: input.rest() }
}
