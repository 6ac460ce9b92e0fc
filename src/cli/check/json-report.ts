import type { ExplainedRun } from '../../check/index.ts'
import type { CheckReport } from './explore.ts'

/** What `--json` prints: without the events, which only diagrams need. */
export function checkJson({ violated, worst, ...rest }: CheckReport) {
  const samples = worst?.samples
  return {
    ...rest,
    ...(worst && {
      worst: {
        ...worst,
        samples: samples && { most: runJson(samples.most), least: runJson(samples.least) },
      },
    }),
    violated: runJson(violated),
  }
}

function runJson<T extends ExplainedRun>(story: T | null) {
  if (story === null) return null
  const { events: _, transitions: __, unit: ___, ...rest } = story
  return rest
}
