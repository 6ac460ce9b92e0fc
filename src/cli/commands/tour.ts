import { Command } from 'commander'
import { algorithmNamed } from '../../algorithms/index.ts'
import { wrapped } from '../../core/text-format.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { flagged, prepare } from '../../scenario/index.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { execute } from '../run/execute.ts'
import { runReport } from '../run/run-report.ts'
import { coloursFor, WIDTH } from '../terminal/format.ts'

interface Stop {
  readonly says: string
  readonly algorithm: string
  readonly given: Readonly<Record<string, string>>
}

const STOPS: readonly Stop[] = [
  {
    says: 'First stop: the simplest election on a ring, on its worst ring. Ids fall clockwise, so every id travels until it meets the largest: n(n+1)/2 = 36 messages for eight nodes.',
    algorithm: 'lcr',
    given: { ids: '8,7,6,5,4,3,2,1', timing: 'sync' },
  },
  {
    says: 'Second stop: ids may not travel far before they have won nearby. Hirschberg-Sinclair needs a constant times n log n messages on every ring; on eight nodes that does not pay yet, on a million it does.',
    algorithm: 'hirschberg-sinclair',
    given: { ids: '8,7,6,5,4,3,2,1', timing: 'sync' },
  },
  {
    says: 'Third stop: in synchronous rounds silence is information. Small ids travel faster and overtake the others: at most 5n messages, paid for in rounds. Four of eight nodes wake by themselves.',
    algorithm: 'slow-fast',
    given: { ids: '1,2,3,4,5,6,7,8', wake: '0@1,4@1,7@1,2@2' },
  },
]

const FAREWELL = `Where to go from here:
  npx conclave list                        the catalogue
  npx conclave run lcr -n 1000000          a million nodes
  npx conclave run lcr -n 6 --ids same     why equal nodes cannot elect
  npx conclave check lcr -n 5              every interleaving of five nodes
  npx conclave cluster lcr -n 5            five real processes
`

export function tourCommand(io: Io, leave: Leave): Command {
  return new Command('tour')
    .description('three elections, and what happened in them')
    .addHelpText('after', '\nExample:\n  conclave tour')
    .action(async () => {
      const paint = coloursFor(io.colours)
      for (const { says, algorithm, given } of STOPS) {
        const replay = commandLine('run', algorithm, given)
        const report = await execute(
          prepare(given, algorithmNamed(algorithm), flagged),
          { traffic: false },
          io,
        )
        io.out(`${wrapped(says, WIDTH).join('\n')}\n\n${paint.dim(`$ ${replay}`)}\n`)
        io.out(`${runReport(report, replay, paint)}\n`)
      }
      io.out(FAREWELL)
      leave(EXIT.done)
    })
}
