import { exploration, measurement } from './check-session.ts'
import { retracing } from './counterexample-session.ts'
import { ownAlgorithm } from './own-code.ts'
import type { Errand, Retrace } from './protocol.ts'
import { answer, tell } from './reply.ts'

/** The explorer is large, and few need it here: a worker by itself. */
self.onmessage = ({ data }: MessageEvent<Errand | Retrace>) => {
  void answer(data, () => {
    if (data.want === 'retrace') return retracing(data.trace, tell)
    const session = data.want === 'explore' ? exploration : measurement
    return session(data.scenario, ownAlgorithm(data.code), tell)
  })
}
