import type { World } from '../core/language/world.ts'
import { counted, grouped } from '../core/text-format.ts'
import { UsageError } from '../core/usage-error.ts'
import {
  anyFault,
  FAULT_KINDS,
  type FaultOptions,
  type Mode,
  type ModelOptions,
} from './options.ts'

/** In a larger network not even the first states would be explored in reasonable time. */
const MOST_NODES = 1000
const MOST_LINKS = 10_000

/** Each set of nodes is one side of a partition. */
const MOST_PARTITIONED = 10

/** Names an option in errors. */
type OptionNames = (option: string) => string

/** Throws a usage error for options that make no sense in this world. */
export function validateOptions(
  world: World,
  options: ModelOptions,
  where: OptionNames = () => `check ${world.algorithm.name}`,
): void {
  const { mode, wake, faults, draws, bounds = {}, timeouts } = options
  validateSize(where, world)
  if (world.algorithm.meet !== null) validateMeetings(where, world, options)
  validateMode(where, world, mode)
  const { n } = world.topology
  if (wake !== 'any' && (wake.length === 0 || !arePositions(wake, n)))
    throw new UsageError(
      where('wake'),
      `the nodes that start must be different positions from 0 to ${n - 1}; ${wake.join(', ') || 'none'} was given.`,
      'Correct the list, or let any node start.',
    )
  if (draws !== undefined && !isCount(draws, 1))
    throw new UsageError(
      where('draws'),
      `the limit of random choices per node must be a whole number from 1; ${draws} was given.`,
      'Omit it for no limit.',
    )
  if (timeouts !== undefined && !isCount(timeouts, 1))
    throw new UsageError(
      where('timeouts'),
      `the most values of a random delay must be a whole number from 1; ${timeouts} was given.`,
      'Omit it to try every value.',
    )
  for (const [field, most] of Object.entries(bounds)) validateBound(where, world, field, most)
  validateLinks(where, options)
  validateStarters(where, options)
  if (faults !== undefined) validateFaults(where, world, mode, faults)
}

/** Where nodes meet there are no messages, no clock and no faults. */
function validateMeetings(where: OptionNames, { algorithm }: World, options: ModelOptions): void {
  const { mode, order, faults = {} } = options
  const [option, problem, hint] =
    mode !== 'untimed'
      ? ['mode', 'so that there is no clock', 'Use mode untimed, or omit it.']
      : order === 'lossy'
        ? ['links', 'so that links lose nothing', 'Use fifo, or omit it.']
        : anyFault(faults)
          ? [faultIn(faults), 'and faults are not defined for meetings', 'Omit them.']
          : []
  if (option === undefined) return
  const meets = `the nodes of ${algorithm.name} meet and send no messages`
  throw new UsageError(where(option), `${meets}, ${problem}.`, hint!)
}

function faultIn(faults: FaultOptions): string {
  return FAULT_KINDS.find((kind) => (faults[kind] ?? 0) > 0) ?? 'crash'
}

function validateMode(where: OptionNames, { algorithm }: World, mode: Mode): void {
  if (typeof mode === 'string') return
  const unbounded = mode.clocked === Number.POSITIVE_INFINITY
  if (!unbounded && !isCount(mode.clocked, 1))
    throw new UsageError(
      where('mode'),
      `the largest delay of mode clocked must be a whole number from 1; ${mode.clocked} was given.`,
      'Use clocked:1 for synchronous rounds.',
    )
  const { time } = algorithm.needs
  if (unbounded && (time === 'bounded delay' || time === 'rounds'))
    throw new UsageError(
      where('mode'),
      `${algorithm.name} needs a largest delay, but clocked:any has none.`,
      'Write for example clocked:2.',
    )
}

function validateLinks(where: OptionNames, { mode, order, faults = {} }: ModelOptions): void {
  if (order !== 'lossy') return
  if (mode !== 'untimed')
    throw new UsageError(
      where('links'),
      'lossy links have no delays, so that there is no clock and no timer can wait for messages.',
      'Use mode untimed.',
    )
  const { losses = 0, duplicates = 0 } = faults
  if (losses + duplicates > 0)
    throw new UsageError(
      where('links'),
      'lossy links lose and repeat messages without limit.',
      'Omit losses and duplicates.',
    )
}

function validateBound(where: OptionNames, world: World, field: string, most: number): void {
  const { name, layout } = world.algorithm
  const numbers = Object.keys(layout.own).filter(
    (own) => typeof layout.own[own].start() === 'number',
  )
  if (!numbers.includes(field))
    throw new UsageError(
      where('bound'),
      `${name} has no state field ${field} that holds a number.`,
      numbers.length === 0 ? 'Omit the bound.' : `Bound one of: ${numbers.join(', ')}.`,
    ).withCandidates(field, numbers)
  if (!(most >= 0))
    throw new UsageError(
      where('bound'),
      `the bound of ${field} must be a number from 0; ${most} was given.`,
      `Write for example ${field}=2.`,
    )
}

function validateSize(where: OptionNames, { topology }: World): void {
  const { n, links, name } = topology
  if (n <= MOST_NODES && links <= MOST_LINKS) return
  throw new UsageError(
    where('topology'),
    `${name} has ${counted(n, 'node')} and ${counted(links, 'link')}, but at most ${grouped(MOST_NODES)} nodes and ${grouped(MOST_LINKS)} links can be explored.`,
    'Use a smaller network, or simulate this one.',
  )
}

function validateStarters(where: OptionNames, { wake, faults = {} }: ModelOptions): void {
  const { dead = [], recoveries = 0, amnesia = 0 } = faults
  if (wake === 'any' || recoveries + amnesia > 0 || wake.some((node) => !dead.includes(node)))
    return
  throw new UsageError(
    where('wake'),
    `no node that is to start (${wake.join(', ')}) is ever alive.`,
    'Choose other nodes to start, or let any node start.',
  )
}

function validateFaults(where: OptionNames, world: World, mode: Mode, faults: FaultOptions): void {
  const { topology, algorithm } = world
  const { crashes = 0, reappear = false, detect = 1, dead = [] } = faults
  const { recoveries: remembering = 0, amnesia = 0 } = faults
  const recoveries = remembering + amnesia
  const reject = (option: string, problem: string, hint: string) => {
    throw new UsageError(where(option), problem, hint)
  }
  for (const kind of FAULT_KINDS)
    if (!isCount(faults[kind] ?? 0, 0))
      reject(
        kind,
        `the number of ${kind} must be a whole number from 0; ${faults[kind]} was given.`,
        'Correct the value.',
      )
  if (!arePositions(dead, topology.n))
    reject(
      'crash',
      `dead nodes must be different positions from 0 to ${topology.n - 1}; ${dead} was given.`,
      'Correct the list.',
    )
  if (dead.length === topology.n)
    reject('crash', 'at least one node must be alive; all are given as dead.', 'Shorten the list.')
  if (crashes + dead.length > topology.n + recoveries)
    reject(
      'crashes',
      `${crashes + dead.length} crashes are too many for ${topology.n} nodes.`,
      'Reduce the number of crashes.',
    )
  validateCuts(where, world, faults)
  validateClocks(where, mode, faults)
  if (recoveries > crashes + dead.length)
    reject(
      remembering > 0 ? 'recoveries' : 'amnesia',
      `the number of recoveries (${recoveries}) exceeds the number of crashes (${crashes + dead.length}).`,
      'Allow more crashes, or fewer recoveries.',
    )
  if (reappear && algorithm.needs.ids === undefined)
    reject(
      'reappear',
      `reappear needs ids, but the nodes of ${algorithm.name} are anonymous.`,
      'Omit reappear.',
    )
  if (reappear && recoveries === 0)
    reject(
      'reappear',
      'reappear needs at least one recovery.',
      'Allow a recovery too, or omit reappear.',
    )
  const timed = typeof mode !== 'string'
  if (detect !== 'off' && !(timed ? isCount(detect, 0) : detect >= 0))
    reject(
      'detect',
      `the delay of the failure detector must be 0 or more, and a whole number in mode clocked; ${detect} was given.`,
      'Correct it, or switch the detector off.',
    )
}

/** Cut links and partitions: a ring has no other way round. */
function validateCuts(where: OptionNames, world: World, faults: FaultOptions): void {
  const { topology, algorithm } = world
  const { cuts = 0, partitions = 0, oneWay = false } = faults
  for (const [option, count] of [
    ['cuts', cuts],
    ['partitions', partitions],
  ] as const)
    if (count > 0 && algorithm.needs.topology === 'ring')
      throw new UsageError(
        where(option),
        `${option === 'cuts' ? 'link cuts' : option} work with algorithms for general graphs and complete networks; ${algorithm.name} requires a ring.`,
        `Omit ${option}.`,
      )
  const most = oneWay ? 2 * topology.links : topology.links
  if (cuts > most)
    throw new UsageError(
      where('cuts'),
      `${cuts} cuts exceed the number of links of ${topology.name} (${topology.links}).`,
      'Reduce the number of cuts.',
    )
  if (partitions > 0 && topology.n > MOST_PARTITIONED)
    throw new UsageError(
      where('partitions'),
      `${counted(topology.n, 'node')} have too many partitions; at most ${MOST_PARTITIONED} nodes can be explored with them.`,
      'Use a smaller network, or cuts.',
    )
  if (oneWay && cuts + partitions === 0)
    throw new UsageError(
      where('one-way'),
      'one-way needs at least one cut or partition.',
      'Allow a cut or a partition too, or omit one-way.',
    )
}

/** Pauses and drift are about time. */
function validateClocks(where: OptionNames, mode: Mode, faults: FaultOptions): void {
  const { pauses = 0, drift = 0 } = faults
  if (!isCount(drift, 0))
    throw new UsageError(
      where('drift'),
      `the drift of clocks must be a whole number of units from 0; ${drift} was given.`,
      'Correct the value.',
    )
  if (typeof mode !== 'string') return
  for (const [option, count] of [
    ['pauses', pauses],
    ['drift', drift],
  ] as const)
    if (count > 0)
      throw new UsageError(
        where(option),
        `${option} need${option === 'drift' ? 's' : ''} a clock, but mode ${mode} has none.`,
        'Use mode clocked, for example clocked:1.',
      )
}

function isCount(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least
}

function arePositions(nodes: readonly number[], n: number): boolean {
  return nodes.every((node) => isCount(node, 0) && node < n) && new Set(nodes).size === nodes.length
}
