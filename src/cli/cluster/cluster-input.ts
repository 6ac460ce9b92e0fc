import type { Aggregation } from '../../algorithms/aggregation.ts'
import { offers } from '../../algorithms/kinds.ts'
import type { Algorithm } from '../../core/index.ts'
import { scenarioInput } from '../../options/scenario.ts'
import { type FieldLocator, flagged, type ScenarioInput } from '../../scenario/index.ts'
import {
  type FieldRules,
  type FileOrigin,
  locatorOf,
  readScenarioFile,
  remarksOf,
  withFields,
} from '../input/scenario-file.ts'
import {
  absoluteReference,
  handlersChecked,
  isCode,
  isScenarioFile,
  referencedDefinition,
} from '../input/user-algorithm.ts'
import type { Verb } from '../verb.ts'

/** What a cluster runs, from flags or from a scenario file. */
export interface ClusterInput<O> {
  /** The algorithm as it was written. */
  readonly reference: string
  readonly definition: Algorithm | Aggregation
  readonly options: O
  /** The fields of the scenario. */
  readonly given: ScenarioInput
  readonly where: FieldLocator
}

/** Links have their own delays and order, and elections end by themselves. */
const ASIDE = ['title', 'notes', 'delay', 'order', 'max-messages']

const SIMULATE = 'Leave it out, or simulate it with conclave run.'

const RULES: FieldRules = {
  command: 'cluster',
  aside: ASIDE,
  hints: {
    timing: 'Leave it out: real processes exchange messages, in no rounds or cycles.',
    crash: 'Leave it out, and use --kill-leader-after 2s; gossip: --kill 3@1s.',
    detect: 'Leave it out, and use --heartbeat and --timeout.',
    role: 'Leave it out: processes hold one election.',
    ...Object.fromEntries(
      [
        'recover',
        'retire',
        'suspect',
        'loss',
        'duplicate',
        'partition',
        'cut',
        'tamper',
        'pause',
        'drift',
        'disk',
        'again',
        'mobility',
        'weights',
        'coins',
        'allow-weaker',
        'corrupt',
        'tables',
      ].map((field) => [field, SIMULATE]),
    ),
  },
}

/** Reads the argument of the command: an algorithm, or a scenario file. */
export async function clusterOf<O extends Record<string, unknown> & { file?: FileOrigin }>(
  argument: string,
  flags: O,
  verb: Verb,
): Promise<ClusterInput<O>> {
  if (!isScenarioFile(argument)) {
    const definition = await referencedDefinition(argument)
    return {
      reference: argument,
      definition,
      options: flags,
      given: scenarioInput(flags),
      where: flagged,
    }
  }
  const file = readScenarioFile(argument)
  const { algorithm: reference } = file
  const definition = await referencedDefinition(reference, { where: `${argument}: algorithm` })
  // The end of a simulated election, which real ones do not need.
  const { until, ...others } = file.fields
  const fields = offers(definition, 'lead') ? others : file.fields
  const options: O = withFields(flags, { ...file, fields }, verb, RULES)
  const { topology } = file.fields
  const ofFlags = locatorOf(options)
  return {
    reference,
    definition,
    options,
    given: { ...scenarioInput(options), ...(topology !== undefined && { topology }) },
    where: (field) => (field === 'topology' ? `${argument}: topology` : ofFlags(field)),
  }
}

/** The flags of each process for the algorithm: what was checked here is not checked again. */
export function algorithmWords(reference: string): string[] {
  const own = isCode(reference) ? ['--no-types', ...(handlersChecked() ? [] : ['--unchecked'])] : []
  return ['--algorithm', absoluteReference(reference), ...own]
}

/** What the result says about the file. */
export function originIn({ file }: { readonly file?: FileOrigin }) {
  return file === undefined ? {} : { file: remarksOf(file) }
}
