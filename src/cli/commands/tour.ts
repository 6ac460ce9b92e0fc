import { Command } from 'commander'
import { algorithmNamed } from '../../algorithms/index.ts'
import { wrapped } from '../../core/text-format.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { flagged, prepare } from '../../scenario/index.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { execute } from '../run/execute.ts'
import { runReport } from '../run/run-report.ts'
import { coloursFor } from '../terminal/format.ts'

interface TourStop {
  readonly says: string
  readonly algorithm: string
  readonly given: Readonly<Record<string, string>>
}

const STOPS: readonly TourStop[] = [
  {
    says: 'First stop: the simplest election on a ring, on its worst ring. Ids decrease clockwise, so every id travels until it reaches the largest: n(n+1)/2 = 36 messages for eight nodes.',
    algorithm: 'lcr',
    given: { ids: '8,7,6,5,4,3,2,1', timing: 'sync' },
  },
  {
    says: 'Second stop: an id travels further only after it has won among its neighbours. Hirschberg-Sinclair sends O(n log n) messages on every ring; that does not pay on eight nodes, but it does on a million.',
    algorithm: 'hirschberg-sinclair',
    given: { ids: '8,7,6,5,4,3,2,1', timing: 'sync' },
  },
  {
    says: 'Third stop: in synchronous rounds silence is information. Small ids travel faster and overtake the others: at most 5n messages, at the price of many rounds. Four of the eight nodes wake spontaneously.',
    algorithm: 'slow-fast',
    given: { ids: '1,2,3,4,5,6,7,8', wake: '0@1,4@1,7@1,2@2' },
  },
]

const NEXT_STEPS = `Next steps:
  npx conclave list                        the catalogue
  npx conclave run lcr -n 1000000          a million nodes
  npx conclave run lcr -n 6 --ids same     why equal nodes cannot elect
  npx conclave check lcr -n 5              every interleaving of five nodes
  npx conclave cluster lcr -n 5            five real processes
`

export function tourCommand(io: Io, leave: Leave): Command {
  return new Command('tour')
    .description('three elections with explanations')
    .addHelpText('after', '\nExample:\n  conclave tour')
    .action(async () => {
      const paint = coloursFor(io)
      for (const { says, algorithm, given } of STOPS) {
        const replay = commandLine('run', algorithm, given)
        const report = await execute(
          prepare(given, algorithmNamed(algorithm), flagged),
          { traffic: false },
          io,
        )
        io.out(`${wrapped(says, paint.width).join('\n')}\n\n${paint.dim(`$ ${replay}`)}\n`)
        io.out(`${runReport(report, replay, paint)}\n`)
      }
      io.out(NEXT_STEPS)
      leave(EXIT.done)
    })
}
