#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/cli/bin.js', import.meta.url)
if (existsSync(program)) await import(program.href)
else {
  process.stderr.write('conclave is not built: run npm run build in its folder.\n')
  process.exitCode = 2
}
