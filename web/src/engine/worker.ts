import { definitionNamed, electionFor } from '../../../src/algorithms/index.ts'
import { coverageSession, StepCoverage } from './coverage-session.ts'
import { growthSession } from './growth-session.ts'
import { coveredDefinition, ownDefinition } from './own-code.ts'
import type { CoverageRequest, GrowthRequest, Request } from './protocol.ts'
import { reply, runSession } from './reply.ts'
import { sessionOf } from './sessions.ts'

/** The whole engine: every algorithm, own code, changes, event logs, growth and coverage. */
self.onmessage = ({ data }: MessageEvent<Request | GrowthRequest | CoverageRequest>) => {
  if (data.want === 'growth') void runSession(data, () => growthOf(data))
  else if (data.want === 'coverage') void runSession(data, () => coverageOf(data))
  else void runSession(data, () => sessionOf(definitionOf(data), data, reply))
}

function growthOf(request: GrowthRequest) {
  const election = electionFor('growth', definitionOf(request), 'algorithm')
  return growthSession(request.scenario, election, request, reply)
}

function coverageOf(request: CoverageRequest) {
  const coverage = new StepCoverage()
  return coverageSession(request, coveredDefinition(request, coverage.hit), coverage, reply)
}

function definitionOf({ scenario, code }: Request | GrowthRequest) {
  return code === null ? definitionNamed(scenario.algorithm) : ownDefinition(code)
}
