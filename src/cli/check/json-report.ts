import { type CheckResult, type ExplainedRun, overallVerdict } from '../../check/index.ts'
import type { CheckReport } from './explore.ts'

/** What `--json` prints: without the events, which only diagrams need. */
export function checkJson(report: CheckReport) {
  const { violated, worst, ...rest } = report
  const samples = worst?.samples
  return {
    ...rest,
    ...decisionJson(report),
    ...(worst && {
      worst: {
        ...worst,
        samples: samples && { most: runJson(samples.most), least: runJson(samples.least) },
      },
    }),
    violated: runJson(violated),
  }
}

/** Whether everything holds, and else what is not decided and why. */
export function decisionJson(result: Parameters<typeof overallVerdict>[0]) {
  const holds = overallVerdict(result)
  return { holds, ...(holds === null && { undecided: undecidedIn(result) }) }
}

function undecidedIn({ properties }: Pick<CheckResult, 'properties'>) {
  return properties
    .filter(({ holds }) => holds === null)
    .map(({ name, detail }) => ({ property: name, reason: detail }))
}

function runJson<T extends ExplainedRun>(story: T | null) {
  if (story === null) return null
  const { events: _, eventCounts: __, transitions: ___, unit: ____, ...rest } = story
  return rest
}
