import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { Complaint } from '../../../src/core/index.ts'
import { aggregationSession } from './aggregation-session.ts'
import { electionSession } from './election-session.ts'
import type { Answer, Request, Session } from './protocol.ts'
import { aggregationTrace, electionTrace } from './trace.ts'

self.onmessage = ({ data }: MessageEvent<Request>) => void answer(data)

async function answer(request: Request): Promise<void> {
  try {
    const session = sessionOf(request)
    while (!session.next().done) await new Promise((resolve) => setTimeout(resolve))
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    tell({ what: 'refused', message: error.message, field: error.where })
  }
}

function tell(answer: Answer): void {
  self.postMessage(answer)
}

function sessionOf({ scenario, want }: Request): Session {
  const { algorithm: name } = scenario
  const aggregation = aggregations.find((one) => one.name === name)
  if (aggregation)
    return want === 'run'
      ? aggregationSession(scenario, aggregation, tell)
      : aggregationTrace(scenario, aggregation, tell)
  const algorithm = catalogue.find((one) => one.name === name)
  if (algorithm)
    return want === 'run'
      ? electionSession(scenario, algorithm, tell)
      : electionTrace(scenario, algorithm, tell)
  throw new Complaint(
    'algorithm',
    'a name of the catalogue is needed',
    `${JSON.stringify(name)} was given`,
    'Pick one.',
  )
}
