import { answer, tell } from './answering.ts'
import { exploration, measurement } from './exploration.ts'
import { ownAlgorithm } from './own-code.ts'
import type { Errand } from './protocol.ts'

/** The explorer is large, and only own definitions need it here: a worker by itself. */
self.onmessage = ({ data }: MessageEvent<Errand>) => {
  const { scenario, code, want } = data
  const session = want === 'explore' ? exploration : measurement
  void answer(data, () => session(scenario, ownAlgorithm(code), tell))
}
