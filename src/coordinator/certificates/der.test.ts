import { expect, it } from 'vitest'
import {
  bitString,
  boolean,
  explicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  time,
  utf8String,
} from './der.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const digits = (text: string) => Buffer.from(text, 'hex')

/** Examples of X.690 and of RFC 5480, 5280. */
const KNOWN: [name: string, encoded: Uint8Array, hex: string][] = [
  ['zero', integer(digits('00')), '020100'],
  ['127', integer(digits('7f')), '02017f'],
  ['128 needs a byte for its sign', integer(digits('80')), '02020080'],
  ['256 without leading zeros', integer(digits('00000100')), '02020100'],
  ['true', boolean(true), '0101ff'],
  ['a curve', objectIdentifier('1.2.840.10045.3.1.7'), '06082a8648ce3d030107'],
  ['an extension', objectIdentifier('2.5.29.17'), '0603551d11'],
  ['bits', bitString(digits('6e5dc0'), 6), '0304066e5dc0'],
  ['text', utf8String('a'), '0c0161'],
  ['a list', sequence(integer(digits('01')), boolean(false)), '3006020101010100'],
  ['an explicit number', explicit(0, integer(digits('02'))), 'a003020102'],
  [
    'a time',
    time(new Date('2026-11-17T08:05:09.123Z')),
    `170d${hex(Buffer.from('261117080509Z'))}`,
  ],
  ['a far time', time(new Date('2050-01-01')), `180f${hex(Buffer.from('20500101000000Z'))}`],
]

it.each(KNOWN)('DER of %s', (_name, encoded, known) => {
  expect(hex(encoded)).toBe(known)
})

it('long contents have lengths of several bytes', () => {
  for (const [length, header] of [
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [70_000, '0483011170'],
  ] as const) {
    const encoded = octetString(new Uint8Array(length))
    expect(hex(encoded).slice(0, header.length)).toBe(header)
    expect(encoded.length).toBe(header.length / 2 + length)
  }
})
