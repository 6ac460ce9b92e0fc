import { it } from 'vitest'
import { readFileSync } from 'node:fs'
import { shell } from './support/run-command.ts'
for (const line of readFileSync('/tmp/terms-cmds', 'utf8').split('\n').filter(Boolean))
  it(line, async () => {
    const { code, out, err } = await shell(...line.split(' '))
    console.log(`$ ${line}\n${out}${err}[${code}]`)
  }, 300000)
