import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { shell } from '../../support/run-command.ts'

interface Case {
  readonly args: string[]
  readonly expect: Record<string, number>
}

const cases: Case[] = JSON.parse(
  readFileSync(new URL('../../fixtures/cases.json', import.meta.url), 'utf8'),
)
const known = new Set(catalogue.map(({ name }) => name))

/** The value at a dotted path; what a result leaves out counts as 0. */
function valueAt(document: unknown, path: string): unknown {
  return (
    path
      .split('.')
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], document) ?? 0
  )
}

describe('figures of an independent program', () => {
  const ours = cases.filter(({ args }) => known.has(args[1]))

  it('covers every algorithm of the catalogue that the figures know', () => {
    expect(ours.length).toBeGreaterThanOrEqual(55)
  })

  it.each(ours.map((one) => [one.args.join(' ').slice(0, 90), one] as const))(
    '%s',
    async (_, one) => {
      const { out, code } = await shell(...one.args)
      expect(code).toBe(0)
      const result = JSON.parse(out)
      const found = Object.keys(one.expect).map((path) => [path, valueAt(result, path)])
      expect(Object.fromEntries(found)).toEqual(one.expect)
    },
  )
})
