import { KNOWLEDGE } from '../../algorithms/assumptions.ts'
import { type Algorithm, Random, UsageError } from '../../core/index.ts'
import { network, networkForms } from '../../core/networks/network.ts'
import { quoted } from '../../core/text-format.ts'
import { integer } from '../../scenario/fields/reading.ts'
import { readText } from '../input/read-file.ts'
import { COMPUTED } from './computed-functions.ts'

/** How long messages take, the weakest first; in each an algorithm for an earlier one runs, too. */
export const TIMINGS = ['async', 'clocks', 'bounded', 'sync', 'pairs'] as const
export const SAVED = ['messages', 'time', 'bits'] as const
export const IDS = ['numbers', 'unique', 'none'] as const
export const STARTS = ['all', 'one', 'any'] as const

/** What an algorithm would find where it is to run. */
export interface OfferedWorld {
  /** Elect a `leader`, or compute a function of all values. */
  readonly compute: string
  /** With its size: `ring:64`. */
  readonly topology: string
  readonly timing: (typeof TIMINGS)[number]
  /** none: nodes are anonymous. unique: ids can only be compared. */
  readonly ids: (typeof IDS)[number]
  readonly knows: readonly OfferedKnowledge[]
  readonly order: 'fifo' | 'any'
  /** all: at the same moment. any: any nodes, at any time. */
  readonly wake: (typeof STARTS)[number]
  readonly crashes: boolean
  readonly loss: number
  readonly save: (typeof SAVED)[number]
  readonly seed: number
}

export type OfferedKnowledge = NonNullable<Algorithm['needs']['knows']>[number]

/** What nodes may be said to know: everything but the inputs of aggregations. */
export const KNOWN = (Object.keys(KNOWLEDGE) as OfferedKnowledge[]).filter(
  (word) => word !== 'inputs',
)

const LARGEST_SEED = Number.MAX_SAFE_INTEGER
const LARGEST_SIZE = 10_000_000

/** The flags of the command, as texts. */
export interface WorldFlags {
  readonly compute?: string
  readonly topology?: string
  readonly n?: string
  readonly timing?: string
  readonly ids?: string
  readonly anonymous?: true
  readonly knows?: string
  readonly order?: string
  readonly wake?: string
  readonly crashes?: true
  readonly loss?: string
  readonly save?: string
  readonly seed?: string
}

/** Reads the flags; what is left out is the weakest world without faults. */
export function offeredWorld(flags: WorldFlags): OfferedWorld {
  const { topology, anonymous, crashes } = flags
  if (topology === undefined) {
    throw new UsageError(
      '--topology',
      'the network is missing, and there is no terminal to ask at.',
      'Write for example --topology ring:8.',
    )
  }
  if (anonymous && flags.ids !== undefined && flags.ids !== 'none') {
    throw new UsageError('--anonymous', `contradicts --ids ${flags.ids}.`, 'Leave one of them out.')
  }
  const timing = wordOf('--timing', flags.timing ?? 'async', TIMINGS)
  const seed = integer('--seed', flags.seed ?? 1, 0, LARGEST_SEED)
  return {
    compute: wordOf('--compute', flags.compute ?? 'leader', ['leader', ...COMPUTED]),
    topology: networkOf(topology, flags.n, seed),
    timing,
    ids: anonymous ? 'none' : wordOf('--ids', flags.ids ?? 'numbers', IDS),
    knows: knowledgeOf(flags.knows ?? 'nothing'),
    order: wordOf('--order', flags.order ?? 'fifo', ['fifo', 'any']),
    wake: wordOf('--wake', flags.wake ?? 'all', STARTS),
    crashes: crashes === true,
    loss: lossOf(flags.loss ?? '0'),
    // Nodes that meet send no messages.
    save: wordOf('--save', flags.save ?? (timing === 'pairs' ? 'time' : 'messages'), SAVED),
    seed,
  }
}

function wordOf<W extends string>(flag: string, text: string, words: readonly W[]): W {
  const found = words.find((word) => word === text.trim().toLowerCase())
  if (found !== undefined) return found
  throw new UsageError(
    flag,
    `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}, not ${quoted(text)}.`,
    `Write for example ${flag} ${words[0]}.`,
  ).withCandidates(text, words)
}

/** A network with its size, or its name and the size by itself. */
function networkOf(text: string, n: string | undefined, seed: number): string {
  const whole = n === undefined ? text.trim() : sized(text.trim(), n)
  // Anything wrong with it is found now, before any algorithm is looked at.
  try {
    const readFile = (path: string) => readText(path, '--topology')
    network(whole, { random: Random.from(seed).split('topology'), readFile })
  } catch (error) {
    throw error instanceof UsageError ? error.at('--topology') : error
  }
  return whole
}

function sized(name: string, text: string): string {
  const n = integer('-n', text, 1, LARGEST_SIZE)
  const { form } = networkForms.find((one) => one.form.startsWith(`${name}:`)) ?? { form: '' }
  if (/^\w+:n$/.test(form)) return `${name}:${n}`
  if (form === '' && !name.includes(':')) return name
  throw new UsageError(
    '-n',
    name.includes(':') ? `${name} has its size already.` : `the size of ${name} is not one number.`,
    name.includes(':') ? 'Leave -n out.' : `Write --topology ${form}, without -n.`,
  )
}

/** `n,direction`; also `nothing` and `all`. */
function knowledgeOf(text: string): OfferedKnowledge[] {
  const words = text
    .trim()
    .toLowerCase()
    .split(/[\s,]+/)
  if (words.length === 1 && ['nothing', ''].includes(words[0])) return []
  if (words.length === 1 && words[0] === 'all') return [...KNOWN]
  return words.map((word) =>
    word === 'detector' ? 'liveness' : wordOf('--knows', word, [...KNOWN, 'detector' as never]),
  )
}

function lossOf(text: string): number {
  const loss = Number(text)
  if (text.trim() !== '' && loss >= 0 && loss < 1) return loss
  throw new UsageError(
    '--loss',
    `must be a probability below 1, not ${quoted(text)}.`,
    'Write for example --loss 0.05.',
  )
}
