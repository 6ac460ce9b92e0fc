import { expect, test } from 'vitest'
import { UsageError } from '../../core/usage-error.ts'
import { addressText, parseAddress } from './address.ts'

test.each([
  ['127.0.0.1:7001', { host: '127.0.0.1', port: 7001 }],
  ['localhost:1', { host: 'localhost', port: 1 }],
  ['[::1]:65535', { host: '::1', port: 65535 }],
])('%s is an address', (text, address) => {
  expect(parseAddress(text)).toEqual(address)
  expect(addressText(address)).toBe(text)
})

test.each([
  '',
  '7001',
  ':7001',
  'host',
  'host:',
  'host:0',
  'host:65536',
  'a b:1',
  '::1:7001',
  'a:1:2',
])('"%s" is none', (text) => {
  expect(() => parseAddress(text)).toThrow(UsageError)
  expect(() => parseAddress(text)).toThrow(`"${text}" is not a host with a port`)
})
