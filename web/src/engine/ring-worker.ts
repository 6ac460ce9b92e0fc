import type { Algorithm } from '../../../src/core/index.ts'
import type { Request } from './protocol.ts'
import { reply, runSession } from './reply.ts'
import { electionSession, refuseTooLarge } from './run-session.ts'

/**
 * Simulates the catalogue's elections on rings, and nothing else: a part of the engine, so that
 * the first picture comes soon. Every other request is for the whole engine.
 */
const MODULES = import.meta.glob<Readonly<Record<string, unknown>>>(
  ['../../../src/algorithms/ring/*.ts', '!../../../src/**/*.test.ts'],
  { eager: true },
)
const DEFINITIONS = Object.values(MODULES).flatMap((module) => Object.values(module))

self.onmessage = ({ data }: MessageEvent<Request>) => {
  const algorithm = DEFINITIONS.find((one) => isNamed(one, data.scenario.algorithm))
  const { topology = 'ring' } = data.scenario
  if (algorithm === undefined || !String(topology).startsWith('ring')) reply({ what: 'elsewhere' })
  else
    void runSession(data, () => {
      refuseTooLarge(data.scenario)
      return electionSession(data.scenario, algorithm, reply)
    })
}

function isNamed(one: unknown, name: unknown): one is Algorithm {
  return (
    typeof one === 'object' && one !== null && 'needs' in one && (one as Algorithm).name === name
  )
}
