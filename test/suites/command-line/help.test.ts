import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { COMMANDS } from '../../../src/cli/main.ts'
import { PROGRAM } from '../../support/built-program.ts'
import { sample } from '../../support/campaign.ts'
import { expectUsageError, shell, shellJson } from '../../support/run-command.ts'

interface Parameter {
  readonly name: string
  readonly default: number | string
  readonly choices?: string[]
}

describe('help in a process of its own', () => {
  it.each(['', ...Object.keys(COMMANDS)])('%s: -h is short, and --help has everything', (name) => {
    const asked = (flag: string) =>
      execFileSync(process.execPath, [PROGRAM, ...(name === '' ? [] : [name]), flag], {
        encoding: 'utf8',
        timeout: 60_000,
      })
    const [short, whole] = [asked('-h'), asked('--help')]
    expect(short).toMatch(/\nExamples?\b.*:\n {2}\S/)
    expect(short).not.toContain('--no-color')
    expect(whole).toContain('--no-color')
    expect(short.length).toBeLessThan(whole.length)
    // What the short help has, the whole one has, too.
    const flags = (text: string) => text.match(/^ {2}-.*?(?= {2})/gm) ?? []
    expect(flags(whole)).toEqual(expect.arrayContaining(flags(short)))
  })
})

describe('another name of a flag', () => {
  const words = ['experiment', 'lcr', '--sweep', 'n=2,3', '--json']

  it('is read, and help does not show it', async () => {
    const own = await shell(...words, '--threads', '1')
    expect(own.code).toBe(0)
    expect(await shell(...words, '--workers', '1')).toEqual(own)
    await expectUsageError([...words, '--workers', '0'], '--threads', 'from 1')
    const { out } = await shell('experiment', '--help')
    expect(out).toContain('--threads <count>')
    expect(out).not.toContain('--workers')
  })

  it('is refused beside the own one', () =>
    expectUsageError(
      [...words, '--threads', '1', '--workers', '2'],
      '--workers',
      'it is another name of --threads.',
    ))
})

describe('the help of run', () => {
  it('has examples before flags, and flags by what they are about', async () => {
    const { out } = await shell('run', '--help')
    const headings = ['Examples', 'Network', 'Start', 'Faults', 'Time', 'Output']
    const found = [...out.matchAll(/^(\w+):$/gm)].map(([, heading]) => heading)
    expect(found.filter((one) => headings.includes(one))).toEqual(headings)
    const [, faults] = /^Faults:\n((?: .*\n)*)/m.exec(out)!
    expect(faults).toMatch(/^ {2}--crash .*\n(?:.*\n)*? {2}--loss /)
    expect(faults).not.toMatch(/^ {2}--(seed|delay|json) /m)
  })
})

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
