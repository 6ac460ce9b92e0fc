import { UsageError } from '../../core/index.ts'
import { readDuration } from '../fields/delay.ts'
import { decimal, integer, text } from '../fields/reading.ts'
import type { FieldLocator, Scenario, ScenarioInput } from '../scenario.ts'

/** The faults of a scenario, as its document has them: schedules are texts. */
export interface FaultFields {
  readonly crash: string
  readonly recover: string
  readonly retire: string
  readonly detect: number | 'off'
  readonly suspect: string
  readonly loss: number
  readonly duplicate: number
  readonly partition: string
  readonly cut: string
  readonly tamper: string
  readonly again: number | 'never'
  readonly mobility: number
  /** The faults of hosts, each absent where there is none. */
  readonly pause?: string
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

/** The faults of the hosts on which nodes run. */
const HOST_FIELDS = ['pause', 'drift', 'disk'] as const

export const FAULT_FIELDS: readonly string[] = [...Object.keys(NO_FAULT_FIELDS), ...HOST_FIELDS]

/** Reads the fault fields and fills in defaults; schedules are parsed once the network is known. */
export function readFaultFields(
  given: ScenarioInput,
  timing: Scenario['timing'],
  where: FieldLocator,
): FaultFields {
  const schedule = (name: string, example: string) =>
    given[name] === undefined ? 'none' : text(where(name), given[name], example)
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
  return {
    crash: schedule('crash', '7 or 7@12'),
    recover: schedule('recover', '7@30'),
    retire: schedule('retire', '7@20'),
    detect: detect === 'off' ? detect : time('detect', detect, 'off'),
    suspect: schedule('suspect', '3@10..20'),
    loss: share('loss', 'a probability', 0.1),
    duplicate: share('duplicate', 'a probability', 0.1),
    partition: schedule('partition', '0,1,2/3,4@10..50'),
    cut: schedule('cut', '0-1@5..9'),
    tamper: schedule('tamper', 'drop:17@5.5'),
    again: again === 'never' ? again : time('again', again, 'never'),
    mobility: share('mobility', 'a speed', 0.01),
    ...readHostFields(given, timing, where),
  }
}

function readHostFields(
  given: ScenarioInput,
  timing: Scenario['timing'],
  where: FieldLocator,
): Pick<FaultFields, (typeof HOST_FIELDS)[number]> {
  const { pause = 'none', drift = 0, disk = 'none' } = given
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
    ...(pause !== 'none' && { pause: text(where('pause'), pause, '2@10..20') }),
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
