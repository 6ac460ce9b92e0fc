import { checkSession, counterexampleSession, measurementSession } from './check-session.ts'
import { ownDefinition, ownElection } from './own-code.ts'
import type { CheckRequest, CounterexampleRequest } from './protocol.ts'
import { reply, runSession } from './reply.ts'

/** The checker is large and rarely needed on the page: a separate worker. */
self.onmessage = ({ data }: MessageEvent<CheckRequest | CounterexampleRequest>) => {
  void runSession(data, () => {
    if (data.want === 'replay') {
      const own = data.code && ownDefinition(data.code)
      return counterexampleSession(data.trace, own, reply)
    }
    const session = data.want === 'explore' ? checkSession : measurementSession
    return session(data.scenario, ownElection(data.code), reply)
  })
}
