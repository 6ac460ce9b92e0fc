import type { ExplainedRun } from '../../check/index.ts'
import type { CheckReport } from './explore.ts'

/** What `--json` prints: the events are only for pictures. */
export function checkJson({ violated, worst, ...rest }: CheckReport) {
  const samples = worst?.samples
  return {
    ...rest,
    ...(worst && {
      worst: {
        ...worst,
        samples: samples && { most: plainOf(samples.most), least: plainOf(samples.least) },
      },
    }),
    violated: plainOf(violated),
  }
}

function plainOf<T extends ExplainedRun>(story: T | null) {
  if (story === null) return null
  const { events: _, transitions: __, unit: ___, ...rest } = story
  return rest
}
