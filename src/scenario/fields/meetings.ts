import { type Algorithm, UsageError } from '../../core/index.ts'
import { FAULT_FIELDS } from '../../options/scenario.ts'
import { NO_FAULT_FIELDS } from '../faults/fault-fields.ts'
import type { FieldLocator, Scenario, ScenarioInput } from '../scenario.ts'

/** Nodes meet, or they send messages: the timing must fit the algorithm. */
export function timingFor(
  { name, meet }: Algorithm,
  where: string,
  timing: Scenario['timing'],
): Scenario['timing'] {
  if ((timing === 'pairs') === (meet !== null)) return timing
  throw meet === null
    ? new UsageError(
        where,
        `the nodes of ${name} send messages, and with pairs nodes only meet.`,
        'Use async or sync, or an algorithm with meet, such as pairwise.',
      )
    : new UsageError(
        where,
        `the nodes of ${name} meet and send no messages, so that ${timing} says nothing of them.`,
        'Use pairs, or leave it out.',
      )
}

/** What is about messages, crashes or starts one by one. */
const FIELDS = ['delay', 'order', 'wake', ...FAULT_FIELDS]
/** The defaults of these fields, as a printed scenario has them. */
const HARMLESS: Readonly<Record<string, unknown>> = {
  ...NO_FAULT_FIELDS,
  order: 'fifo',
  wake: 'all',
  detect: 1,
}

/** Refuses fields that mean nothing where nodes meet. */
export function refuseMessageFields(
  given: ScenarioInput,
  { name }: Algorithm,
  where: FieldLocator,
): void {
  const field = FIELDS.find(
    (one) => given[one] !== undefined && `${given[one]}` !== `${HARMLESS[one]}`,
  )
  if (field === undefined) return
  throw new UsageError(
    where(field),
    `the nodes of ${name} meet: they all start first, send no messages and do not crash.`,
    'Leave it out.',
  )
}
