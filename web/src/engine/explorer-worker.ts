import { answer, tell } from './answering.ts'
import { exploration, measurement } from './exploration.ts'
import { ownAlgorithm } from './own-code.ts'
import type { Errand, Retrace } from './protocol.ts'
import { retracing } from './retracing.ts'

/** The explorer is large, and few need it here: a worker by itself. */
self.onmessage = ({ data }: MessageEvent<Errand | Retrace>) => {
  void answer(data, () => {
    if (data.want === 'retrace') return retracing(data.trace, tell)
    const session = data.want === 'explore' ? exploration : measurement
    return session(data.scenario, ownAlgorithm(data.code), tell)
  })
}
