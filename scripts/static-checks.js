/*
 * Types, lint and dead code side by side: each uses one processor most of the time. What a check
 * prints is shown only if it fails.
 */
import { spawn } from 'node:child_process'

const CHECKS = ['types', 'lint', 'dead']

function check(name) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    child.stdout.on('data', (text) => {
      printed += text
    })
    child.stderr.on('data', (text) => {
      printed += text
    })
    child.on('close', (code) => resolve({ name, code, printed }))
  })
}

const results = await Promise.all(CHECKS.map(check))
for (const { name, code, printed } of results) {
  process.stdout.write(`${name}: ${code === 0 ? 'passed' : 'failed'}\n`)
  if (code !== 0) process.stdout.write(printed)
}
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1
