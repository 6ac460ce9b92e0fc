import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/cli/main.ts'
import { expectUsageError, shell } from '../../support/run-command.ts'

describe('completion in bash', () => {
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conclave-completion-'))
    writeFileSync(join(folder, 'script'), (await shell('completion', 'bash')).out)
    writeFileSync(join(folder, 'my ring.json'), '{}')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** What bash offers for the last of these words. */
  function offered(...words: string[]): string[] {
    const script = `source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _conclave
      for one in "\${COMPREPLY[@]}"; do echo "$one"; done`
    const given = ['-c', script, 'bash', 'conclave', ...words]
    const out = execFileSync('bash', given, { cwd: folder, encoding: 'utf8' })
    return out.split('\n').filter((line) => line !== '')
  }

  it('has every command', () => {
    expect(offered('')).toEqual(expect.arrayContaining([...Object.keys(COMMANDS), 'help']))
    expect(offered('expl')).toEqual(['explain'])
    expect(offered('help', 'che')).toEqual(['check'])
    expect(offered('--no-color', 'ru')).toEqual(['run'])
  })

  it('has the flags of a command, and of no other', () => {
    expect(offered('run', 'lcr', '--dup')).toEqual(['--duplicate'])
    expect(offered('check', 'lcr', '--dup')).toEqual(['--duplicates'])
    expect(offered('list', '--dup')).toEqual([])
  })

  it('has algorithms, values of flags, and files', () => {
    expect(offered('run', 'gossip-av')).toEqual(['gossip-average', 'gossip-average-naive'])
    expect(offered('node', '--algorithm', 'bul').toSorted()).toEqual(['bully', 'bully-textbook'])
    expect(offered('run', 'lcr', '--timing', '')).toEqual(['sync', 'async', 'cycles', 'pairs'])
    expect(offered('run', 'my')).toEqual(['my ring.json'])
    expect(offered('run', 'lcr', '--svg', 'my')).toEqual(['my ring.json'])
    expect(offered('run', 'lcr', '-n', '')).toEqual([])
  })
})

describe('completion in other shells', () => {
  it.each(['zsh', 'fish'])('%s has every command, and balanced quotes', async (name) => {
    const { code, out } = await shell('completion', name)
    expect(code).toBe(0)
    for (const command of Object.keys(COMMANDS)) expect(out).toContain(command)
    for (const line of out.split('\n'))
      expect((line.replaceAll("'\\''", '').match(/'/g) ?? []).length % 2, line).toBe(0)
  })

  it('there is none for unknown shells', async () => {
    await expectUsageError(['completion', 'fihs'], 'shell', 'Did you mean fish?')
  })
})
