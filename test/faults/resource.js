/*
 * The resource that the leader works on: a counter behind a fence. It writes a line of JSON for
 * each write, accepted or refused. It is a process of its own, since no fault may stop it.
 */
import { writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { Fence, StaleToken } from '../../dist/api/subpaths/coordinator.js'

const [host, port, folder] = process.argv.slice(2)
const fence = await Fence.open(folder)
let value = 0

async function answer({ read, write, by, at }) {
  if (read) return { value }
  try {
    const before = await fence.run(by, () => {
      const former = value
      value = write
      return former
    })
    say({ what: 'written', ...by, before, value: write, at })
    return { written: true }
  } catch (error) {
    if (!(error instanceof StaleToken)) throw error
    say({ what: 'refused', ...by, at })
    return { refused: error.message }
  }
}

function say(line) {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.setNoDelay(true)
  createInterface({ input: socket })
    .on('line', async (line) => {
      const reply = await answer(JSON.parse(line))
      if (!socket.destroyed) socket.write(`${JSON.stringify(reply)}\n`)
    })
    .on('error', () => {})
})
server.listen({ host, port: Number(port) }, () =>
  say({ what: 'ready', port: server.address().port }),
)
process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
