#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { main } from './main.ts'

// From a handler's send to a message in flight is a longer way than the engine of JavaScript compiles
// into one piece by default; with more room a simulation is up to half as fast again.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=8000')

// A reader that goes away (conclave list | head) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  colours: process.stdout.isTTY === true && !process.env.NO_COLOR,
  progress: process.stderr.isTTY === true,
})
