import type { ByteReader, ByteWriter } from './bytes.ts'
import type { Fields, Ride, Type } from './value.ts'

export type AnyBody = Record<string, unknown>

/**
 * How the bodies of one kind of message travel. Fields of fixed width ride in float64 columns, the
 * others as copies in one array. `unpack` fills the same body each time: a body is valid only while
 * its handler runs.
 */
export class Packing {
  /** How many float64s a body takes. */
  readonly width: number
  /** Whether some fields have no fixed width. */
  readonly hasObjects: boolean
  readonly evenBits: boolean
  readonly pack: (body: AnyBody, columns: Float64Array, at: number) => void
  readonly unpack: (columns: Float64Array, at: number, objects: readonly unknown[]) => AnyBody
  private readonly entries: [string, Type<unknown>][]
  private readonly objects: [string, Type<unknown>][]

  constructor(fields: Fields) {
    this.entries = Object.entries(fields)
    const riders = this.entries.filter(([, type]) => type.ride)
    this.objects = this.entries.filter(([, type]) => !type.ride)
    this.width = riders.length
    this.hasObjects = this.objects.length > 0
    this.evenBits = this.entries.every(([, type]) => type.evenBits)
    const names = riders.map(([name]) => name)
    const rides = riders.map(([, type]) => type.ride!)
    this.pack = packer(names, rides)
    this.unpack = unpacker(
      names,
      rides,
      this.objects.map(([name]) => name),
    )
  }

  /** Copies of the fields of no fixed width, the message's own from now on. */
  packObjects(body: AnyBody): readonly unknown[] {
    return this.objects.map(([name, type]) => type.copy(body[name]))
  }

  bits(body: AnyBody, uidBits: number): number {
    let sum = 0
    for (const [name, type] of this.entries) sum += type.bits(body[name], uidBits)
    return sum
  }

  write(out: ByteWriter, body: AnyBody): void {
    for (const [name, type] of this.entries) type.write(out, body[name])
  }

  read(input: ByteReader): AnyBody {
    const body: AnyBody = {}
    for (const [name, type] of this.entries) body[name] = type.read(input)
    return body
  }

  plain(body: AnyBody): AnyBody {
    return Object.fromEntries(this.entries.map(([name, type]) => [name, type.plain(body[name])]))
  }

  get schema(): string {
    return this.entries.map(([name, type]) => `${name}:${type.schema}`).join(',')
  }
}

/*
 * The two functions below are generated, one assignment per field: a loop over field names would
 * make each access a hash lookup, at twice the cost of the rest of a delivery.
 */

function packer(names: string[], rides: Ride<unknown>[]): Packing['pack'] {
  const lines = names.map((name, i) => {
    const value = `body[${JSON.stringify(name)}]`
    return `columns[at + ${i}] = ${rides[i].itself ? value : `rides[${i}].pack(${value})`};`
  })
  return new Function('rides', `return (body, columns, at) => { ${lines.join(' ')} }`)(rides)
}

function unpacker(names: string[], rides: Ride<unknown>[], objects: string[]): Packing['unpack'] {
  const numbers = names.map((name, i) => {
    const value = `columns[at + ${i}]`
    return `body[${JSON.stringify(name)}] = ${rides[i].itself ? value : `rides[${i}].unpack(${value})`};`
  })
  const others = objects.map((name, i) => `body[${JSON.stringify(name)}] = objects[${i}];`)
  const shape = [...names, ...objects].map((name) => `${JSON.stringify(name)}: undefined`)
  return new Function(
    'rides',
    `const body = { ${shape.join(', ')} };
     return (columns, at, objects) => { ${[...numbers, ...others].join(' ')} return body }`,
  )(rides)
}
