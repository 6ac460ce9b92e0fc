import { type Topology, UsageError } from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import { linkTable } from '../../core/networks/link-table.ts'
import { grouped, quoted } from '../../core/text-format.ts'
import { isDelay, LONGEST_DELAY, readDelay } from '../../options/delays.ts'
import type { Delay } from '../../sim/index.ts'
import { byChannel, edgesOf } from './weights.ts'

/** A table of more senders would be the peak of memory. */
const MOST_CHANNELS = 2 ** 26

/** The rest of the scenario that a delay may depend on. */
export interface DelaySurroundings {
  readonly topology: Topology
  /** By channel. */
  readonly weights?: Float64Array | null
  readonly readFile?: ((path: string) => string) | undefined
}

/** The delays of a run. */
export function delayOf(where: string, text: string, around: DelaySurroundings): Delay {
  const written = readDelay(where, text)
  switch (written.model) {
    case 'file':
      return { model: 'empirical', delays: delaysIn(where, written.path, around) }
    case 'weights':
      return { model: 'links', delays: weightDelays(where, around) }
    case 'links of file':
      return linkDelays(where, rowsIn(where, written.path, around), written.path, around)
    case 'links of text': {
      const rows = written.links.replaceAll(/(\d+)-(\d+)=/g, '$1 $2 ').replaceAll(',', '\n')
      return linkDelays(where, rows, where, around)
    }
    case 'serial':
      return { ...written, senders: sendersOf(where, around.topology) }
    default:
      return written
  }
}

/** The node at the sending end of each channel. */
function sendersOf(where: string, topology: Topology): Int32Array {
  if (topology.channels > MOST_CHANNELS) {
    throw new UsageError(
      where,
      `serial needs at most ${grouped(MOST_CHANNELS)} directed links, but ${topology.name} has ${grouped(topology.channels)}.`,
      'Choose a smaller network.',
    )
  }
  const senders = new Int32Array(topology.channels)
  for (let node = 0; node < topology.n; node++) {
    for (const link of linksOf(topology, node)) senders[topology.channel(node, link)] = node
  }
  return senders
}

/** One delay a line; further columns, and a first line of words, are left out. */
function delaysIn(where: string, path: string, around: DelaySurroundings): Float64Array {
  const delays: number[] = []
  const lines = rowsIn(where, path, around).split('\n')
  for (let i = 0; i < lines.length; i++) {
    const [text] = lines[i]
      .replace(/#.*/, '')
      .trim()
      .split(/[\s,;]+/)
    if (text === '') continue
    const delay = Number(text)
    if (isDelay(delay)) delays.push(delay)
    else if (delays.length > 0 || !Number.isNaN(delay)) throw unusable(where, path, i + 1, text)
  }
  if (delays.length > 0) return Float64Array.from(delays)
  throw new UsageError(where, `${path} has no delays.`, 'Write one delay a line.')
}

function unusable(where: string, path: string, line: number, text: string): UsageError {
  return new UsageError(
    where,
    `line ${line} of ${path}: ${quoted(text)} is not a delay above 0, up to ${LONGEST_DELAY}.`,
    'Write one delay a line.',
  )
}

/** Every link of the network with its delay: two nodes and a number a line. */
function linkDelays(
  where: string,
  rows: string,
  source: string,
  { topology }: DelaySurroundings,
): Delay {
  const table = tableOf(where, rows, source)
  if (table.weights === null) {
    throw new UsageError(
      where,
      `${source} has links without delays.`,
      'Write two nodes and a delay a line, for example 0 1 2.5.',
    )
  }
  const labels = topology.listed?.labels
  const places = new Map(labels?.map((label, node) => [label, node]))
  const nodeOf = (index: number) => {
    const label = table.labels?.[index] ?? String(index)
    return labels === undefined ? Number(label) : (places.get(label) ?? Number.NaN)
  }
  const { near, far, length } = table.edges
  const delays = new Map<string, number>()
  for (let e = 0; e < length; e++) {
    const [a, b] = [nodeOf(near[e]), nodeOf(far[e])]
    delays.set(a < b ? `${a}-${b}` : `${b}-${a}`, table.weights[e])
  }
  const listed = edgesOf(topology).map(([from, to]) => {
    const delay = delays.get(`${from}-${to}`)
    if (delay !== undefined && isDelay(delay)) return delay
    const link = `${labels?.[from] ?? from}-${labels?.[to] ?? to}`
    throw new UsageError(
      where,
      delay === undefined
        ? `${source} has no delay for the link ${link}.`
        : `${source} gives the link ${link} the delay ${delay}, which is not above 0.`,
      'Give every link of the network a delay.',
    )
  })
  return { model: 'links', delays: byChannel(topology, listed) }
}

/** The parser of links speaks of networks; its errors are about delays here. */
function tableOf(where: string, rows: string, source: string) {
  try {
    return linkTable(rows, source)
  } catch (error) {
    throw error instanceof UsageError ? error.at(where) : error
  }
}

function weightDelays(where: string, { topology, weights }: DelaySurroundings): Float64Array {
  const { listed, name } = topology
  const delays = weights ?? (listed?.weights && byChannel(topology, listed.weights))
  if (!delays) {
    throw new UsageError(
      where,
      `${name} comes without weights.`,
      'Use a file of links whose third column is a weight, or links:PATH.',
    )
  }
  const used = edgesOf(topology).map(([from, , link]) => delays[topology.channel(from, link)])
  const wrong = used.find((delay) => !isDelay(delay))
  if (wrong === undefined) return delays
  throw new UsageError(
    where,
    `a link has the weight ${wrong}, but a delay must be above 0, up to ${LONGEST_DELAY}.`,
    'Change the weight, or use links:PATH.',
  )
}

function rowsIn(where: string, path: string, { readFile }: DelaySurroundings): string {
  if (readFile === undefined) {
    throw new UsageError(
      where,
      `${path}: files cannot be read here.`,
      'Write the delays as empirical:1,2,5.',
    )
  }
  try {
    return readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : `${error}`
    if (error instanceof UsageError) throw error.at(where)
    throw new UsageError(where, `${path} cannot be read (${reason}).`, 'Check the path.')
  }
}
