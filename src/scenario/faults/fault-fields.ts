import { UsageError } from '../../core/index.ts'
import { readDuration } from '../../options/delays.ts'
import { LIST_FAULTS, type ListedFaultName, type ListedFaults } from '../../options/list-faults.ts'
import { decimal, integer, text } from '../../options/reading.ts'
import { FAULT_FIELDS } from '../../options/scenario.ts'
import type { FieldLocator, Scenario, ScenarioInput } from '../scenario.ts'

/** The lists that every printed scenario has; others are left out where they are empty. */
type PrintedList = 'crash' | 'recover' | 'retire' | 'suspect' | 'partition' | 'cut' | 'tamper'

/** The faults of a scenario, as its document has them: schedules are texts. */
export interface FaultFields
  extends Readonly<Record<PrintedList, string>>,
    Readonly<Partial<Record<Exclude<ListedFaultName, PrintedList>, string>>> {
  readonly detect: number | 'off'
  readonly loss: number
  readonly duplicate: number
  readonly again: number | 'never'
  readonly mobility: number
  /** The faults of hosts, each absent where there is none. */
  readonly drift?: number
  readonly disk?: string
}

/** A run without faults and without a failure detector. */
export const NO_FAULT_FIELDS: FaultFields = {
  crash: 'none',
  recover: 'none',
  retire: 'none',
  detect: 'off',
  suspect: 'none',
  loss: 0,
  duplicate: 0,
  partition: 'none',
  cut: 'none',
  tamper: 'none',
  again: 'never',
  mobility: 0,
}

/** The faults of a scenario as data. */
export interface PlannedFaults extends ListedFaults, Omit<FaultFields, ListedFaultName> {}

export const FAULT_LISTS = Object.keys(LIST_FAULTS) as ListedFaultName[]

/** The faults that the fields of a scenario describe. */
export function parseFaults(fields: FaultFields, where: FieldLocator): PlannedFaults {
  const { detect, loss, duplicate, again, mobility, drift, disk } = fields
  const lists = FAULT_LISTS.map((name) => {
    return [name, LIST_FAULTS[name].parse(where(name), String(fields[name] ?? 'none'))]
  })
  return {
    ...(Object.fromEntries(lists) as ListedFaults),
    detect,
    loss,
    duplicate,
    again,
    mobility,
    ...(drift !== undefined && { drift }),
    ...(disk !== undefined && { disk }),
  }
}

/** The fields of a scenario that describe faults, or the given part of them. */
export function printFaults(faults: Partial<PlannedFaults>): Partial<FaultFields> {
  return Object.fromEntries(
    Object.entries(faults).flatMap(([name, value]) => {
      if (!Object.hasOwn(LIST_FAULTS, name)) return [[name, value]]
      const text = LIST_FAULTS[name as ListedFaultName].print(value as never)
      return text === 'none' && !Object.hasOwn(NO_FAULT_FIELDS, name) ? [] : [[name, text]]
    }),
  )
}

/** Reads the fault fields and fills in defaults; schedules are parsed once the network is known. */
export function readFaultFields(
  given: ScenarioInput,
  timing: Scenario['timing'],
  where: FieldLocator,
): FaultFields {
  const lists = FAULT_LISTS.map((name) => {
    const value = given[name]
    return [
      name,
      value === undefined ? 'none' : LIST_FAULTS[name].text(where(name), value),
    ] as const
  })
  const share = (name: string, what: string, example: number) =>
    decimal(where(name), given[name] ?? 0, `${what} from 0 to 1`, example, (p) => p >= 0 && p <= 1)
  const time = (name: string, value: unknown, otherwise: string) =>
    timing === 'sync'
      ? integer(
          where(name),
          value,
          0,
          Number.MAX_SAFE_INTEGER,
          `${otherwise}, or a number of rounds`,
        )
      : decimal(where(name), value, `${otherwise}, or a time of 0 or more`, 1, (t) => t >= 0)
  const { detect = 1, again = 'never' } = given
  const listed = lists.filter(
    ([name, text]) => text !== 'none' || Object.hasOwn(NO_FAULT_FIELDS, name),
  )
  return {
    ...(Object.fromEntries(listed) as Record<PrintedList, string>),
    detect: detect === 'off' ? detect : time('detect', detect, 'off'),
    loss: share('loss', 'a probability', 0.1),
    duplicate: share('duplicate', 'a probability', 0.1),
    again: again === 'never' ? again : time('again', again, 'never'),
    mobility: share('mobility', 'a speed', 0.01),
    ...readHostFields(given, timing, where),
  }
}

function readHostFields(
  given: ScenarioInput,
  timing: Scenario['timing'],
  where: FieldLocator,
): Pick<FaultFields, 'drift' | 'disk'> {
  const { drift = 0, disk = 'none' } = given
  const share = decimal(
    where('drift'),
    drift,
    'a ratio from 0 to 1',
    0.05,
    (ratio) => ratio >= 0 && ratio <= 1,
  )
  const commit = text(where('disk'), disk, 'uniform:1:5')
  if (commit !== 'none') readDuration(where('disk'), commit)
  const fields = {
    ...(share > 0 && { drift: share }),
    ...(commit !== 'none' && { disk: commit }),
  }
  const timed = timing === 'sync' ? (['drift', 'disk'] as const).find((it) => it in fields) : null
  if (!timed) return fields
  throw new UsageError(
    where(timed),
    'it applies only to asynchronous runs, but timing is sync.',
    `Leave it out, or set ${where('timing')} to async.`,
  )
}

/** Whether any fault may occur; a failure detector alone is none. */
export function anyFaultIn(fields: FaultFields): boolean {
  return FAULT_FIELDS.some((name) => {
    const field = name as keyof FaultFields
    return (
      field !== 'detect' && (fields[field] ?? NO_FAULT_FIELDS[field]) !== NO_FAULT_FIELDS[field]
    )
  })
}
