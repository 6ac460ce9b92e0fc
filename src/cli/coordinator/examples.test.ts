import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SETTINGS } from './given-settings.ts'

const textOf = (name: string) =>
  readFileSync(new URL(`../../../examples/coordinator/${name}`, import.meta.url), 'utf8')

const FILES = ['conclave@.service', ...filesOf('Dockerfile compose.yaml kubernetes.yaml')]

function filesOf(names: string): string[] {
  return names.split(' ').map((name) => `container/${name}`)
}

it.each(FILES)('%s uses only settings that there are', (name) => {
  const names = SETTINGS.map((setting) => setting.name())
  const variables = names.map((one) => `CONCLAVE_${one.replaceAll('-', '_').toUpperCase()}`)
  const text = textOf(name)
  const used = [...text.matchAll(/CONCLAVE_\w+/g)].map(([word]) => word)
  expect(used.filter((word) => !variables.includes(word))).toEqual([])
  const flags = [...text.matchAll(/(?<=[\s[])--([a-z][a-z-]*)/g)].map(([, flag]) => flag)
  const others = ['config', 'init', 'global', 'from-literal', 'now']
  expect(used.length + flags.length).toBeGreaterThan(0)
  expect(flags.filter((flag) => ![...names, ...others].includes(flag))).toEqual([])
})
