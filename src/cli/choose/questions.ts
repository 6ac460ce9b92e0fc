import { UsageError } from '../../core/index.ts'
import { Interrupted, type Io } from '../io.ts'
import { COMPUTED } from './computed-functions.ts'
import {
  IDS,
  KNOWN,
  type OfferedWorld,
  offeredWorld,
  SAVED,
  TIMINGS,
  type WorldFlags,
} from './offered-world.ts'

interface Question {
  readonly flag: keyof WorldFlags
  readonly asks: string
  readonly otherwise: string
}

const YES = ['y', 'yes']

/** In the order of asking. What a flag has said is not asked. */
const QUESTIONS: readonly Question[] = [
  {
    flag: 'compute',
    asks: `What is to be found: leader, or ${COMPUTED.join(', ')}?`,
    otherwise: 'leader',
  },
  {
    flag: 'topology',
    asks: 'Which network, with its size: ring:8, complete:16, tree:15:2, random:100:0.05, ...?',
    otherwise: 'ring:8',
  },
  {
    flag: 'timing',
    asks: `Which timing: ${TIMINGS.join(', ')}?`,
    otherwise: 'async',
  },
  {
    flag: 'ids',
    asks: `Which ids do nodes have: ${IDS.join(', ')} (unique: only compared)?`,
    otherwise: 'numbers',
  },
  {
    flag: 'knows',
    asks: `What else do nodes know: nothing, all, or some of ${KNOWN.join(', ')}?`,
    otherwise: 'nothing',
  },
  { flag: 'crashes', asks: 'May nodes crash: yes or no?', otherwise: 'no' },
  { flag: 'loss', asks: 'With which probability is a message lost?', otherwise: '0' },
  {
    flag: 'save',
    asks: `What is to be saved: ${SAVED.join(', ')}?`,
    otherwise: 'messages',
  },
]

/** Asks in a terminal what the flags do not say; null where the user ends it. */
export async function askedWorld(
  flags: WorldFlags,
  keys: AsyncIterable<string>,
  io: Io,
): Promise<OfferedWorld | null> {
  let answered: WorldFlags = flags
  const open = QUESTIONS.filter(({ flag }) => !isAnswered(flag, flags))
  if (open.length === 0) return offeredWorld(flags)
  let typed = ''
  const ask = () => io.out(`${open[0].asks} [${open[0].otherwise}] `)
  ask()
  for await (const key of keys) {
    if (key === '\x03') throw new Interrupted()
    if (key === '\x04' || key === '\x1b') break
    if (key === '\x7f' || key === '\b') {
      if (typed !== '') io.out('\b \b')
      typed = typed.slice(0, -1)
    } else if (key === '\r' || key === '\n') {
      io.out('\n')
      const next = withAnswer(answered, open[0], typed.trim(), io)
      typed = ''
      if (next !== null) {
        answered = next
        open.shift()
        if (open.length === 0) return offeredWorld(answered)
      }
      ask()
    } else if (!key.startsWith('\x1b')) {
      typed += key
      io.out(key)
    }
  }
  io.out('\n')
  return null
}

function isAnswered(flag: keyof WorldFlags, flags: WorldFlags): boolean {
  return flags[flag] !== undefined || (flag === 'ids' && flags.anonymous === true)
}

/** The flags with one more answer; null where it is wrong, which is said. */
function withAnswer(
  flags: WorldFlags,
  { flag, otherwise }: Question,
  typed: string,
  io: Io,
): WorldFlags | null {
  const text = typed === '' ? otherwise : typed
  if (flag === 'crashes') {
    if (![...YES, 'n', 'no'].includes(text.toLowerCase())) {
      io.out('Answer yes or no.\n')
      return null
    }
    return YES.includes(text.toLowerCase()) ? { ...flags, crashes: true } : flags
  }
  const next = { ...flags, [flag]: text }
  try {
    // Whatever is wrong is found at once; a network is needed to look at the rest.
    offeredWorld({ topology: 'ring:3', ...next })
    return next
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    io.out(`${error.problem} ${error.hint}\n`)
    return null
  }
}
