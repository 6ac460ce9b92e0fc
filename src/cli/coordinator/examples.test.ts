import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseJsonDocument } from '../../scenario/json-document.ts'
import { givenSettings, SETTINGS } from './given-settings.ts'
import { checkedSettings } from './settings.ts'

const textOf = (name: string) =>
  readFileSync(new URL(`../../../examples/coordinator/${name}`, import.meta.url), 'utf8')

const FILES = ['conclave@.service', ...filesOf('Dockerfile compose.yaml kubernetes.yaml')]

function filesOf(names: string): string[] {
  return names.split(' ').map((name) => `container/${name}`)
}

it.each(FILES)('%s uses only settings that there are', (name) => {
  const names = SETTINGS.map((setting) => setting.name)
  const variables = names.map((one) => `CONCLAVE_${one.replaceAll('-', '_').toUpperCase()}`)
  const text = textOf(name)
  const used = [...text.matchAll(/CONCLAVE_\w+/g)].map(([word]) => word)
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((word) => !variables.includes(word))).toEqual([])
  const flags = [...text.matchAll(/(?<=[\s[])--([a-z][a-z-]*)/g)].map(([, flag]) => flag)
  const others = ['config', 'init', 'global', 'from-literal']
  expect(flags.filter((flag) => ![...names, ...others].includes(flag))).toEqual([])
})

it('the file in the comment of the unit is a valid one', async () => {
  const lines = textOf('conclave@.service').split('\n')
  const json = lines.filter((line) => /^# {3}[{ ]/.test(line)).map((line) => line.slice(2))
  const fields = parseJsonDocument(json.join('\n'), 'example') as Record<string, unknown>
  const { tls, ...rest } = fields
  expect(tls).toBe('/etc/conclave/certs')
  const values = Object.entries({ ...rest, storage: 'x', insecure: true })
  const given = new Map(values.map(([key, value]) => [key, { value, origin: key }]))
  const { options, roles } = await checkedSettings(given, [], false)
  expect([options.cluster, Object.keys(roles)]).toEqual(['billing', ['cron']])
})

it('the variables of the stateful set are valid together', async () => {
  const text = textOf('container/kubernetes.yaml')
  const named = text.matchAll(/name: (CONCLAVE_\w+),? ?\n? *value: ["']?([^"'\s}]+)/g)
  const variables = Object.fromEntries([...named].map(([, name, value]) => [name, value]))
  expect(Object.keys(variables).length).toBeGreaterThan(6)
  const { CONCLAVE_SECRET_FILE: _, ...environment } = variables
  const given = givenSettings({ me: 'billing-1', insecure: true }, environment)
  const { options, lease, http } = await checkedSettings(given, [], false)
  expect(Object.keys(options.members)).toEqual(['billing-0', 'billing-1', 'billing-2'])
  expect([lease, http?.port, options.bootstrap]).toEqual([2000, 9400, false])
})
