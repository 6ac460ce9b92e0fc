/*
 * A service that runs several times, of which one process at a time does the work: it writes a line
 * to the resource every 100 ms. Start it three times with start.mjs, and kill or freeze what you like.
 */
import { coordinator } from 'conclave/coordinator'

const [me, port = '7001', folder = 'state'] = process.argv.slice(2)
const first = Number(port)
const address = (i) => `127.0.0.1:${first + i}`

const node = await coordinator({
  cluster: 'example',
  me,
  members: { a: address(0), b: address(1), c: address(2) },
  storage: `${folder}/${me}`,
  lease: '1s',
  bootstrap: true,
})
process.on('SIGTERM', () => node.close().then(() => process.exit()))

for await (const term of node.role('writer').terms()) {
  console.log(`${me} leads in term ${term.token}`)
  while (term.valid) {
    const body = JSON.stringify({ token: term.token, holder: me, line: new Date().toISOString() })
    const answer = await fetch(`http://${address(3)}`, { method: 'POST', body }).catch(() => null)
    if (answer?.status === 409) console.log(`${me}: ${await answer.text()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  console.log(`${me} leads no more`)
}
