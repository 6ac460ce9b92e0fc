import { checkSession, measurementSession } from './check-session.ts'
import { counterexampleSession } from './counterexample-session.ts'
import { ownAlgorithm } from './own-code.ts'
import type { CheckRequest, CounterexampleRequest } from './protocol.ts'
import { answer, tell } from './reply.ts'

/** The explorer is large, and few need it here: a worker by itself. */
self.onmessage = ({ data }: MessageEvent<CheckRequest | CounterexampleRequest>) => {
  void answer(data, () => {
    if (data.want === 'retrace') return counterexampleSession(data.trace, tell)
    const session = data.want === 'explore' ? checkSession : measurementSession
    return session(data.scenario, ownAlgorithm(data.code), tell)
  })
}
