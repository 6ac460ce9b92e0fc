import { isatty } from 'node:tty'
import { fileProblem } from './input/read-file.ts'
import { EXIT } from './io.ts'
import { beforeCommand, main, reportFailure } from './main.ts'
import { terminalKeys } from './terminal/keys.ts'
import { presented, programName, terminalOf } from './terminal/terminal.ts'

// A closed pipe (conclave list | head) is no error; a full disk is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done)
  process.stderr.write(`standard output cannot be written: ${fileProblem(error)}\n`)
  process.exit(EXIT.usage)
})
// Whoever does not read what went wrong still gets the exit code.
process.stderr.on('error', () => {})

const { env, platform, argv } = process
const words = argv.slice(2)
// The process list shows the title in place of the words: passwords are only in addresses.
if (words.some((word) => word.includes('://'))) {
  const { withoutPasswords } = await import('./input/nats-flags.ts')
  const shown = withoutPasswords(words)
  if (shown !== null) process.title = `conclave ${shown}`
}
const own = beforeCommand(words)
const terminal = terminalOf(process)
const program = () => programName(env, argv[1], process.cwd(), platform)
const forPeople = (text: string) => presented(text, terminal, program, platform)
// What programs read is the same everywhere.
const exact = words[0] === 'completion' || ['--json', '--csv'].some((it) => own.includes(it))

// Errors that no command waits for, of this program or of an own file.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, async (error: unknown) => {
    process.exit(await reportFailure(error, { err: (text) => process.stderr.write(text) }))
  })

process.exitCode = await main(words, {
  ...terminal,
  out: (text) => process.stdout.write(exact ? text : forPeople(text)),
  err: (text) => process.stderr.write(forPeople(text)),
  // Not process.stdin.isTTY, which would open the stream.
  ...(isatty(0) && isatty(1) && { keys: terminalKeys }),
})
