import type { World } from '../core/language/world.ts'
import { isRestartable, mayCloseRing, restarting } from '../core/runtime/restart.ts'
import { UsageError } from '../core/usage-error.ts'

/**
 * untimed: an alarm may go off at any moment once it is set. patient: only when nothing is in
 * flight. clocked: time goes in units, every message takes 1 to that many, alarms are exact.
 */
export type Mode = 'untimed' | 'patient' | { readonly clocked: number }

export function modeText(mode: Mode): string {
  return typeof mode === 'string' ? mode : `clocked:${mode.clocked}`
}

export interface ModelOptions {
  readonly mode: Mode
  readonly order: 'fifo' | 'any'
  /** Any sleeping node at any moment, or exactly these positions at the very beginning. */
  readonly wake: 'any' | readonly number[]
  /** What may go wrong at any moment; nothing if left out. */
  readonly faults?: FaultOptions
  /** How often one node may draw; a run in which one wants to draw more ends before that. */
  readonly draws?: number
}

/** The kinds of faults that an exploration can inject; each is the name of an option. */
export const FAULT_KINDS = ['crashes', 'losses', 'duplicates', 'cuts', 'recoveries'] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

/** A number for each kind of fault: how many may occur, or have occurred. */
export type FaultCounts = Readonly<Record<FaultKind, number>>

/** What may go wrong, and how often; what is left out does not. */
export interface FaultOptions extends Partial<FaultCounts> {
  /** Who comes back does so under the id of another node, not under its own. */
  readonly reappear?: boolean
  /** After how long a death, a cut or a recovery is told, where time counts; by default 1. */
  readonly detect?: 'off' | number
  /** Nodes that were never up; a detector knows it from the beginning. */
  readonly dead?: readonly number[]
}

export function anyFault({ crashes, losses, duplicates, cuts, dead }: FaultOptions): boolean {
  return [crashes, losses, duplicates, cuts, dead?.length].some((count) => (count ?? 0) > 0)
}

/** Whether nodes learn who of a ring is dead, so that it closes over them. */
export function ringCloses(
  { algorithm, topology }: World,
  { crashes = 0, dead = [], detect }: FaultOptions,
): boolean {
  const told = detect !== 'off' && crashes + dead.length > 0
  return topology.kind === 'ring' && told && mayCloseRing(algorithm)
}

/** As in a simulation: where a ring closes over its dead, the election starts again. */
export function withRestarts(world: World, faults: FaultOptions): World {
  const { algorithm } = world
  const { crashes = 0, recoveries = 0 } = faults
  const told = ringCloses(world, faults) && crashes + recoveries > 0
  return told && isRestartable(algorithm) ? { ...world, algorithm: restarting(algorithm) } : world
}

/** Of more not even the first states would be seen in reasonable time. */
const MOST_NODES = 1000
const MOST_LINKS = 10_000

/** Refuses rules that make no sense in this world. */
export function validateOptions(world: World, rules: ModelOptions): void {
  const { mode, wake, faults } = rules
  const where = `check ${world.algorithm.name}`
  refuseLarge(where, world)
  if (typeof mode !== 'string' && !isCount(mode.clocked, 1))
    throw new UsageError(
      where,
      `mode clocked needs the most time that a message takes, a whole number from 1, but it was given ${mode.clocked}.`,
      'Use clocked:1 for synchronous rounds.',
    )
  const { n } = world.topology
  if (wake !== 'any' && (wake.length === 0 || !arePositions(wake, n)))
    throw new UsageError(
      where,
      `the nodes that start are one or more different positions from 0 to ${n - 1}, but these were given: ${wake.join(', ') || 'none'}.`,
      'Correct the list, or let any node wake.',
    )
  if (rules.draws !== undefined && !isCount(rules.draws, 1))
    throw new UsageError(
      where,
      `the most draws of a node are a whole number from 1, but ${rules.draws} was given.`,
      'Leave it out where draws need no limit.',
    )
  refuseNoStarter(where, rules)
  if (faults !== undefined) refuseFaults(where, world, rules.mode, faults)
}

function refuseLarge(where: string, { topology }: World): void {
  const { n, links, name } = topology
  if (n <= MOST_NODES && links <= MOST_LINKS) return
  throw new UsageError(
    where,
    `at most ${MOST_NODES} nodes and ${MOST_LINKS} links can be explored, but ${name} has ${n} and ${links}.`,
    'Take a small network, or simulate a large one with conclave run.',
  )
}

function refuseNoStarter(where: string, { wake, faults = {} }: ModelOptions): void {
  const { dead = [], recoveries = 0 } = faults
  if (wake === 'any' || recoveries > 0 || wake.some((node) => !dead.includes(node))) return
  throw new UsageError(
    where,
    `one of those who are to start must be up, but ${wake.join(', ')} never ${wake.length === 1 ? 'is' : 'are'}.`,
    'Let others start, or any.',
  )
}

function refuseFaults(where: string, world: World, mode: Mode, faults: FaultOptions): void {
  const { topology, algorithm } = world
  const { crashes = 0, cuts = 0, recoveries = 0, reappear = false, detect = 1, dead = [] } = faults
  const refuse = (needed: string, given: string, remedy: string) => {
    throw new UsageError(where, `${needed}, but ${given}.`, remedy)
  }
  for (const kind of FAULT_KINDS)
    if (!isCount(faults[kind] ?? 0, 0))
      refuse(`the number of ${kind} is a whole number from 0`, `it is ${faults[kind]}`, 'Mend it.')
  if (!arePositions(dead, topology.n) || dead.length === topology.n)
    refuse(
      'some node is up, and who is not is named by its position',
      `${dead} is given as dead`,
      'Mend it.',
    )
  if (crashes + dead.length > topology.n + recoveries)
    refuse(
      `only ${topology.n} nodes can die`,
      `${crashes + dead.length} deaths are asked for`,
      'Ask for fewer crashes.',
    )
  if (cuts > 0 && algorithm.needs.topology !== 'any')
    refuse(
      'links are cut under algorithms for any network',
      `${algorithm.name} needs a ${algorithm.needs.topology} one`,
      'Leave out cuts.',
    )
  if (cuts > topology.links)
    refuse(
      `${topology.name} has ${topology.links} links`,
      `${cuts} cuts are asked for`,
      'Ask for fewer.',
    )
  if (recoveries > crashes + dead.length)
    refuse(
      'who comes back has died before',
      `${recoveries} recoveries and ${crashes + dead.length} deaths are asked for`,
      'Ask for more crashes, or for fewer recoveries.',
    )
  if (reappear && (recoveries === 0 || algorithm.needs.ids === undefined))
    refuse(
      'an id reappears where nodes have ids and somebody comes back',
      algorithm.needs.ids === undefined ? 'they are anonymous' : 'no recoveries are asked for',
      'Ask for a recovery too, or leave it out.',
    )
  const timed = typeof mode !== 'string'
  if (detect !== 'off' && !(timed ? isCount(detect, 0) : detect >= 0))
    refuse(
      'the detector speaks after a time of 0 or more, in whole units in mode clocked',
      `it was given ${detect}`,
      'Correct it, or switch it off.',
    )
}

function isCount(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least
}

function arePositions(nodes: readonly number[], n: number): boolean {
  return nodes.every((node) => isCount(node, 0) && node < n) && new Set(nodes).size === nodes.length
}
