import { commandLine } from '../../../src/scenario/command-line.ts'
import {
  NO_FAULT_FIELDS,
  type PlannedFaults,
  parseFaults,
} from '../../../src/scenario/faults/fault-fields.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import type { CheckSettings } from '../engine/checker/protocol.ts'

/** What an exploration is made of: the scenario that is shown, and facts about it. */
export interface ScenarioOnStage {
  readonly algorithm: string
  /** The fields that were given, without defaults. */
  readonly fields: ScenarioInput
  readonly n: number
  readonly timing: string
  readonly ring: boolean
  /** What the algorithm needs: rounds, bounded delays, clocks. */
  readonly time: string | undefined
  /** What the checker takes where the scenario says nothing. */
  readonly checked: AlgorithmEntry['checked']
}

/** The settings of a scenario, and what of it the checker leaves out, in words. */
export interface DerivedSettings {
  readonly settings: CheckSettings
  readonly left: readonly string[]
}

/** Fields of one run, which have no meaning where every run is explored. */
const ASIDE = [
  'algorithm',
  'title',
  'notes',
  'delay',
  'until',
  'max-messages',
  'timing',
  'coins',
  'role',
  'recover',
  'retire',
  'suspect',
  'loss',
  'duplicate',
  'partition',
  'cut',
  'tamper',
  'again',
  'mobility',
  'pause',
  'drift',
  'disk',
  'crash',
  'wake',
]

/** Fields that have the size of the network, at least where they are lists. */
const SIZES = ['n', 'topology', 'ids', 'values']

/** Derives what to explore from what is shown: faults at fixed times become numbers of faults. */
export function derivedSettings(shown: ScenarioOnStage): DerivedSettings {
  const { fields, algorithm, n } = shown
  const given = Object.fromEntries(Object.entries(fields).filter(([name]) => !ASIDE.includes(name)))
  const faults = parseFaults({ ...NO_FAULT_FIELDS, ...fields } as never, String)
  const dead = faults.crash.flatMap((crash) =>
    'node' in crash && crash.at === undefined ? [crash.node] : [],
  )
  const starts = startsOf(fields.wake)
  return {
    settings: {
      algorithm,
      given: {
        ...(SIZES.every((field) => given[field] === undefined) && { n: shown.checked.n }),
        ...given,
        ...(starts !== null && { wake: starts }),
        ...(dead.length > 0 && { crash: dead.join() }),
      },
      asked: {
        mode: modeOf(shown),
        ...countsOf(faults, n, shown.ring),
      },
    },
    left: leftOut(faults, fields),
  }
}

/** Larger delays than this have too many states. */
const MOST_DELAY = 5

/**
 * The default mode, but rounds where the scenario has them, and its largest delay where the
 * algorithm knows one.
 */
function modeOf({ timing, time, fields, checked }: ScenarioOnStage): string {
  if (timing === 'sync') return 'clocked:1'
  if (time !== 'bounded delay' || fields.delay === undefined) return checked.mode
  const [, largest] = /^(?:uniform:[\d.]+|constant):([\d.]+)$/.exec(String(fields.delay)) ?? []
  return `clocked:${Math.min(MOST_DELAY, Math.max(2, Math.ceil(Number(largest ?? 2))))}`
}

/** The nodes that start, without times; null: any of them, at any time. */
function startsOf(wake: unknown): string | null {
  if (wake === undefined || String(wake).startsWith('rate:')) return null
  return String(wake).replaceAll(/@[\d.]+/g, '')
}

/** The most faults of each kind: as many as the scenario has. */
function countsOf(faults: PlannedFaults, n: number, ring: boolean): ScenarioInput {
  const { crash, recover, cut, partition, pause, tamper, loss, duplicate } = faults
  const crashing = crash.filter(({ at }) => at !== undefined)
  const dropped = tamper.filter((one) => 'drop' in one).length
  const counts = {
    crashes: crashing.reduce(
      (sum, one) => sum + ('share' in one ? Math.round(one.share * n) : 1),
      0,
    ),
    recoveries: recover.filter(({ amnesia }) => !amnesia).length,
    amnesia: recover.filter(({ amnesia }) => amnesia).length,
    losses: Math.max(dropped, loss > 0 ? 1 : 0),
    duplicates: duplicate > 0 ? 1 : 0,
    cuts: ring ? 0 : cut.length,
    partitions: ring ? 0 : partition.length,
    pauses: pause.length,
    drift: (faults.drift ?? 0) > 0 ? 1 : 0,
  }
  const reappears = recover.some(({ id }) => id !== undefined)
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(reappears && { reappear: true }),
  }
}

function leftOut(faults: PlannedFaults, { role }: ScenarioInput): string[] {
  return [
    ...(faults.mobility > 0 ? ['that nodes move'] : []),
    ...(faults.retire.length > 0 ? ['that nodes retire'] : []),
    ...(faults.suspect.length > 0 ? ['false suspicions'] : []),
    ...(faults.again !== 'never' ? ['the second election'] : []),
    ...(faults.disk !== undefined && faults.disk !== 'none' ? ['slow disks'] : []),
    ...(role === undefined ? [] : ['that there are several roles']),
  ]
}

/** The command that explores the same in a terminal. */
export function explorationCommand(
  { algorithm, given, asked }: CheckSettings,
  { states, worst }: { readonly states: number; readonly worst: string | null },
  ownFile: string | null,
): string {
  return commandLine('check', ownFile ?? algorithm, {
    ...given,
    ...asked,
    states,
    ...(worst !== null && { worst }),
  })
}
