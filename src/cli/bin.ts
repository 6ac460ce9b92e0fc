import { isatty } from 'node:tty'
import { EXIT } from './io.ts'
import { main } from './main.ts'
import { terminalKeys } from './terminal/keys.ts'

// A closed pipe (conclave list | head) is no error; a full disk is one.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(EXIT.done)
  process.stderr.write(`standard output cannot be written: ${message}\n`)
  process.exit(EXIT.usage)
})

process.exitCode = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  colours: process.stdout.isTTY === true && !process.env.NO_COLOR,
  progress: process.stderr.isTTY === true,
  // Not process.stdin.isTTY, which would open the stream.
  ...(isatty(0) && isatty(1) && { keys: terminalKeys }),
})
