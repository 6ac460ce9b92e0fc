import { describe, expect, it } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { sample } from '../../support/campaign.ts'
import { shell, shellJson } from '../../support/run-command.ts'

interface Parameter {
  readonly name: string
  readonly default: number | string
  readonly choices?: string[]
}

describe('run with the name of an algorithm and --help', () => {
  it.each(sample([...catalogue, ...aggregations], 4).map(({ name }) => name))(
    '%s lists what can be set, as explain does',
    async (name) => {
      const { code, out } = await shell('run', name, '--help')
      expect(code).toBe(0)
      const [, listed] = out.split(`Parameters of ${name} (--set name=value):\n`)
      const [section] = listed.split('\n\n')
      const { parameters } = await shellJson<{ parameters: Parameter[] }>('explain', name)
      for (const { name: parameter, default: usual, choices = [] } of parameters) {
        const line = section.split('\n').find((it) => it.startsWith(`  ${parameter} `))!
        for (const word of [String(usual), ...choices]) expect(line).toContain(word)
        // What is called the default is accepted, and changes nothing.
        const set = ['run', name, '--set', `${parameter}=${usual}`, '--json']
        const strip = (text: string) => text.replace(/"(speed|set)":\{[^}]*\}/g, '')
        const plain = await shell('run', name, '--json')
        expect(strip((await shell(...set)).out)).toBe(strip(plain.out))
      }
      if (parameters.length === 0) expect(section.trim()).toBe('none')
    },
  )

  it('without a name, or with an unknown one, is the general help', async () => {
    for (const words of [
      ['run', '--help'],
      ['run', 'nonsense', '--help'],
    ]) {
      const { code, out } = await shell(...words)
      expect(code).toBe(0)
      expect(out).not.toContain('Parameters of')
      expect(out).toContain('Examples:')
    }
  })
})
