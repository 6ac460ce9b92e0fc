/** ASN.1 values in DER: a tag, the length, the content. */

const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
  generalizedTime: 0x18,
} as const

function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag), lengthOf(content.length), content])
}

/** Lengths below 128 are one byte; others are preceded by the number of their bytes. */
function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return Uint8Array.of(0x80 | bytes.length, ...bytes)
}

export const sequence = (...parts: readonly Uint8Array[]) => element(TAG.sequence, ...parts)

export const setOf = (part: Uint8Array) => element(TAG.set, part)

/** A natural number, most significant byte first. A sign bit would make it negative. */
export function integer(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = bytes.subarray(start)
  return digits[0] & 0x80
    ? element(TAG.integer, Uint8Array.of(0), digits)
    : element(TAG.integer, digits)
}

export const boolean = (value: boolean) => Uint8Array.of(0x01, 1, value ? 0xff : 0)

/** Bits; the last `unused` ones of the last byte do not count. */
export const bitString = (bytes: Uint8Array, unused = 0) =>
  element(TAG.bitString, Uint8Array.of(unused), bytes)

export const octetString = (bytes: Uint8Array) => element(TAG.octetString, bytes)

export const utf8String = (text: string) => element(TAG.utf8String, Buffer.from(text, 'utf8'))

/** `1.2.840.10045`: the first two numbers share a byte, the others have seven bits a byte. */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  const bytes = [40 * first + second]
  for (const arc of rest) {
    const digits = [arc & 0x7f]
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f))
    bytes.push(...digits)
  }
  return element(TAG.objectIdentifier, Uint8Array.from(bytes))
}

/** A moment in seconds. X.509 wants two digits for years before 2050. */
export function time(date: Date): Uint8Array {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050
    ? element(TAG.utcTime, Buffer.from(digits.slice(2), 'ascii'))
    : element(TAG.generalizedTime, Buffer.from(digits, 'ascii'))
}

/** An element with a number in place of a type; `explicit` wraps one that has its own type. */
export const explicit = (number: number, part: Uint8Array) => element(0xa0 | number, part)

export const implicit = (number: number, content: Uint8Array) => element(0x80 | number, content)
