import { changRoberts } from '../../../src/algorithms/ring/chang-roberts.ts'
import { hirschbergSinclair } from '../../../src/algorithms/ring/hirschberg-sinclair.ts'
import { lcr } from '../../../src/algorithms/ring/lcr.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { prepareElection } from '../../../src/scenario/election/prepare-election.ts'
import type { Request } from './protocol.ts'
import { reply, runSession } from './reply.ts'
import { recordedEvents, refuseTooLarge, simulationSession } from './run-session.ts'

/**
 * Simulates the elections of the first lessons, and nothing else: a part of the engine, so that the
 * first picture comes soon. Every other request is for the whole engine.
 */
const FIRST: readonly Algorithm[] = [lcr, changRoberts, hirschbergSinclair]

self.onmessage = ({ data }: MessageEvent<Request>) => {
  const algorithm = FIRST.find(({ name }) => name === data.scenario.algorithm)
  const { topology = 'ring', corrupt, tables } = data.scenario
  const corrupted = corrupt !== undefined || tables !== undefined
  if (algorithm === undefined || corrupted || !String(topology).startsWith('ring'))
    reply({ what: 'elsewhere' })
  else
    void runSession(data, () => {
      refuseTooLarge(data.scenario)
      const prepared = prepareElection(data.scenario, algorithm, String)
      return simulationSession(prepared, recordedEvents(prepared, prepared), reply)
    })
}
