import { createHash } from 'node:crypto'
import type { Algorithm } from '../core/language/algorithm.ts'
import { linksOf, type Topology } from '../core/language/topology.ts'
import { neededNetworks } from '../core/language/validation/needed-networks.ts'
import { idOf, type World } from '../core/language/world.ts'
import { UsageError } from '../core/usage-error.ts'
import type { MemberOptions } from './member-options.ts'

/** A longer list is compared by its digest. */
const LONGEST_LIST = 200

/** The network of members that run an algorithm: a ring, or links between all; else refused. */
export function memberNetwork(
  { name, needs: { topology } }: Algorithm,
  hint = 'Simulate it.',
): 'ring' | 'complete' {
  if (topology === 'any' || topology === 'complete') return 'complete'
  if (topology === 'ring') return topology
  const { words } = neededNetworks[topology]
  const problem = `${name} needs ${words}; processes form a ring or a complete network.`
  throw new UsageError('algorithm', problem, hint)
}

/**
 * What all members of a world must know alike, a line each: who has which id, what they are elected
 * by, and the weights of links. Addresses are left out, since members may reach each other by
 * different ones.
 */
export function worldSettings(world: World): string[] {
  const { algorithm, topology, ids, names, weights } = world
  const settings = [`network ${networkText(topology)}`]
  if (algorithm.needs.ids !== undefined)
    settings.push(`ids ${listed([...ids].map((key) => idOf(world, key)))}`)
  if (names !== undefined) settings.push(`elected by ranks ${listed([...ids])}`)
  if (algorithm.needs.knows?.includes('weights') && weights !== undefined)
    settings.push(`weights ${listed([...weights])}`)
  return settings
}

/**
 * The schema of a member: that of its algorithm, and a line for each setting that all members must
 * share. Members with other timeouts or parameters would suspect or misunderstand each other.
 */
export function schemaOf(options: MemberOptions): string {
  const { algorithm, failureDetector, priority, params = {}, unit = 1000, shared = [] } = options
  const parameters = Object.keys(algorithm.params).map((name) => `${name} ${params[name]}`)
  return [
    algorithm.schema,
    ...shared,
    ...(priority === undefined ? [] : ['elected by priority']),
    ...parameters,
    ...(algorithm.timers.length === 0 ? [] : [`delay bound ${unit} ms`]),
    ...(failureDetector === undefined
      ? []
      : [`heartbeat ${failureDetector.heartbeat} ms`, `timeout ${failureDetector.timeout} ms`]),
  ].join('\n')
}

/** A network of its own kind has its links compared, too. */
function networkText(topology: Topology): string {
  const { kind, n } = topology
  if (kind !== 'graph') return kind
  const positions = Array.from({ length: n }, (_, position) => position)
  const neighbours = positions.map((position) =>
    linksOf(topology, position)
      .map((link) => topology.neighbor(position, link))
      .join(),
  )
  return `with links ${digestOf(neighbours.join(' '))}`
}

function listed(numbers: readonly number[]): string {
  const text = numbers.join(',')
  if (text.length <= LONGEST_LIST) return text
  return `${numbers.slice(0, 5).join(',')},... (digest ${digestOf(text)})`
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
