/*
 * The resource: a file to which lines are appended, behind a fence. A line of a leader that has been
 * followed by another one is refused with status 409. Each line begins with its token.
 */
import { appendFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Fence, StaleToken } from 'conclave/coordinator'

const [port = '7004', folder = 'state'] = process.argv.slice(2)
const fence = await Fence.open(`${folder}/fence`)

createServer(async (request, answer) => {
  try {
    const { token, holder, line } = JSON.parse(await text(request))
    await fence.run({ token, holder }, () =>
      appendFile(`${folder}/resource.log`, `${token} ${holder} ${line}\n`),
    )
    answer.end()
  } catch (error) {
    answer.statusCode = error instanceof StaleToken ? 409 : 400
    answer.end(error.message)
  }
}).listen(Number(port), '127.0.0.1')
