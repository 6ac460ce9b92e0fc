import { type Algorithm, type Topology, UsageError } from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import { quoted } from '../../core/text-format.ts'
import { LIST_FAULTS, type ListedFaultName } from '../../options/list-faults.ts'
import { decimal, integer, position } from '../../options/reading.ts'
import type { FaultSpan, PauseFault, RecoveryFault } from '../../options/scenario-options.ts'
import { momentOf, type TimeUnit } from '../fields/time-unit.ts'
import type { FieldLocator } from '../scenario.ts'
import { FAULT_LISTS, type PlannedFaults } from './fault-fields.ts'

/** What a fault plan must fit. */
interface FaultTarget {
  readonly topology: Topology
  readonly unit: TimeUnit
  /** The unit of the times of message overrides, where it is another. */
  readonly overrideUnit?: TimeUnit
  /** Whether nodes compare keys instead of their ids. */
  readonly keyed: boolean
}

/** Rejects a fault plan that does not fit the network, or contradicts itself. */
export function validateFaults(
  faults: PlannedFaults,
  { topology, unit, overrideUnit = unit, keyed }: FaultTarget,
  where: FieldLocator,
): void {
  const {
    crash: crashes,
    recover,
    partition: partitions,
    cut: cuts,
    pause: pauses,
    tamper,
  } = faults
  for (const name of FAULT_LISTS)
    for (const fault of faults[name])
      checkPlace(name, fault, topology.n, name === 'tamper' ? overrideUnit : unit, where(name))
  for (const crash of crashes)
    if ('share' in crash)
      decimal(where('crash'), crash.share, 'a share from 0 to 1', 0.5, (share) => share <= 1)
  refuseSimultaneousCrashes(faults, where('crash'))
  for (const recovery of recover) refuseNewId(recovery, keyed, where('recover'))
  for (const partition of partitions) refuseOverlap(partition.groups, where('partition'))
  for (const cut of cuts) refuseMissingLink(topology, cut.link, where('cut'))
  for (const pause of pauses) refuseOverlappingPauses(pause, pauses, where('pause'))
  if (pauses.length > 0 && faults.again !== 'never')
    throw new UsageError(
      where('pause'),
      'nodes cannot pause where a second election is held.',
      `Leave out ${where('again')}, or the pauses.`,
    )
  for (const fault of tamper) {
    const message = 'drop' in fault ? fault.drop : fault.arrive
    integer(where('tamper'), message, 0, Number.MAX_SAFE_INTEGER, 'a message number')
  }
  refuseRepeatedOverrides(faults, where('tamper'))
}

/** A retired leader needs a successor, which only long-running algorithms elect. */
export function refuseRetirement(
  { retire }: PlannedFaults,
  { name, lasting }: Algorithm,
  where: FieldLocator,
): void {
  if (retire.length === 0 || lasting) return
  throw new UsageError(
    where('retire'),
    `retirement needs a long-running algorithm; ${name} terminates.`,
    'Use bully, ring-list or wireless.',
  )
}

/** A node that has recovered may crash again, but not at the same time. */
function refuseSimultaneousCrashes({ crash: crashes }: PlannedFaults, where: string): void {
  const seen = new Set<string>()
  for (const crash of crashes) {
    if ('share' in crash) continue
    const key = `${crash.node}@${crash.at ?? ''}`
    if (seen.has(key)) {
      throw new UsageError(
        where,
        `position ${crash.node} crashes twice at the same time.`,
        'Remove one of the entries, or give the second a later time.',
      )
    }
    seen.add(key)
  }
}

function refuseNewId({ node, id }: RecoveryFault, keyed: boolean, where: string): void {
  if (id === undefined) return
  integer(where, id, 0, Number.MAX_SAFE_INTEGER, 'an id')
  if (!keyed) return
  throw new UsageError(
    where,
    `position ${node} recovers with the id ${id}, but a new id works only where nodes compare ids.`,
    'Remove the id, or elect by id and without retirements.',
  )
}

/** Only a crashed node recovers. A share is drawn at random, so its victims are not known here. */
export function refuseRecoveryOfLive(
  { crash: crashes, recover }: PlannedFaults,
  where: FieldLocator,
): void {
  if (crashes.some((crash) => 'share' in crash)) return
  const recovered = new Map<number, number>()
  for (const { node, at } of recover.toSorted((a, b) => a.at - b.at)) {
    const since = recovered.get(node)
    recovered.set(node, at)
    const crashed = crashes.some(
      (crash) =>
        'node' in crash &&
        crash.node === node &&
        (crash.at === undefined ? since === undefined : crash.at > (since ?? -1) && crash.at <= at),
    )
    if (crashed) continue
    throw new UsageError(
      where('recover'),
      `position ${node} is alive at time ${at}, and only a crashed node recovers.`,
      `Set ${where('crash')} to ${node}, for example, or remove the recovery.`,
    )
  }
}

/** The members of faults that say where and when one occurs. */
interface FaultPlace extends FaultSpan {
  readonly node?: number
  readonly link?: readonly number[]
  readonly groups?: readonly (readonly number[])[]
  readonly at?: number
}

/** Rejects nodes that there are not, and times that are none, in a fault of any kind. */
function checkPlace(
  name: ListedFaultName,
  fault: FaultPlace,
  n: number,
  unit: TimeUnit,
  where: string,
): void {
  const { node, link = [], groups = [], at, from, to } = fault
  for (const time of [at, from, to]) if (time !== undefined) momentOf(where, time, unit)
  const nodes = node === undefined ? [] : [node]
  for (const one of [...nodes, ...link, ...groups.flat()]) position(where, one, n)
  if (to === undefined || from === undefined || to > from) return
  const text = LIST_FAULTS[name].print([fault as never])
  throw new UsageError(where, `${quoted(text)} ends before it begins.`, 'Swap the two times.')
}

function refuseOverlap(groups: readonly (readonly number[])[], where: string): void {
  const all = groups.flat()
  const twice = all.find((node, i) => all.indexOf(node) !== i)
  if (twice === undefined) return
  throw new UsageError(
    where,
    `position ${twice} is listed twice.`,
    'Put every node in at most one group.',
  )
}

/** Two pauses of a node that overlap are one, and should be written so. */
function refuseOverlappingPauses(
  pause: PauseFault,
  pauses: readonly PauseFault[],
  where: string,
): void {
  const [from, to] = [pause.from ?? -1, pause.to ?? Number.POSITIVE_INFINITY]
  const other = pauses.find(
    (it) =>
      it !== pause &&
      it.node === pause.node &&
      (it.from ?? -1) < to &&
      from < (it.to ?? Number.POSITIVE_INFINITY),
  )
  if (other === undefined) return
  throw new UsageError(where, `two pauses of position ${pause.node} overlap.`, 'Write them as one.')
}

function refuseMissingLink(
  topology: Topology,
  [a, b]: readonly [number, number],
  where: string,
): void {
  if (linksOf(topology, a).some((link) => topology.neighbor(a, link) === b)) return
  throw new UsageError(
    where,
    `${topology.name} has no link between ${a} and ${b}.`,
    'Name two neighbours, by their positions.',
  )
}

function refuseRepeatedOverrides({ tamper }: PlannedFaults, where: string): void {
  const names = tamper.map((fault) =>
    'drop' in fault
      ? `drop is listed twice for message ${fault.drop}`
      : `arrive is listed twice for message ${fault.arrive}`,
  )
  const problem = names.find((name, i) => names.indexOf(name) < i)
  if (problem === undefined) return
  throw new UsageError(where, `${problem}.`, 'Remove one of the entries.')
}
