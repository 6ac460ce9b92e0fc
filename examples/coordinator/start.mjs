/*
 * Starts the resource and the service three times, and each again when it ends: try `kill -9`,
 * `kill -STOP` and `kill -CONT` with the numbers that it prints. Ctrl-C ends all of them.
 */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [port = '7001', folder = 'state'] = process.argv.slice(2)
const script = (name) => fileURLToPath(new URL(name, import.meta.url))
const running = new Set()
mkdirSync(folder, { recursive: true })

function keepRunning(name, file, args) {
  const child = spawn(process.execPath, [script(file), ...args], { stdio: 'inherit' })
  running.add(child)
  console.log(`${name} is process ${child.pid}`)
  child.on('exit', () => {
    running.delete(child)
    setTimeout(() => keepRunning(name, file, args), 1000)
  })
}

keepRunning('the resource', 'resource.mjs', [String(Number(port) + 3), folder])
for (const me of ['a', 'b', 'c']) keepRunning(me, 'service.mjs', [me, port, folder])

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of running) child.kill('SIGKILL')
    process.exit()
  })
