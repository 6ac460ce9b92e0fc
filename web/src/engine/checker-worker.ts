import { checkSession, counterexampleSession, measurementSession } from './check-session.ts'
import { ownElection } from './own-code.ts'
import type { CheckRequest, CounterexampleRequest } from './protocol.ts'
import { reply, runSession } from './reply.ts'

/** The checker is large and rarely needed on the page: a separate worker. */
self.onmessage = ({ data }: MessageEvent<CheckRequest | CounterexampleRequest>) => {
  void runSession(data, () => {
    if (data.want === 'replay') return counterexampleSession(data.trace, reply)
    const session = data.want === 'explore' ? checkSession : measurementSession
    return session(data.scenario, ownElection(data.code), reply)
  })
}
