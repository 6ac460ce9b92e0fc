import { type Aggregation, definitionNamed } from '../../../../src/algorithms/index.ts'
import { ModelWalk } from '../../../../src/check/index.ts'
import type { Algorithm } from '../../../../src/core/index.ts'
import { shownNaming } from '../../../../src/core/language/world.ts'
import type { RunFacts } from '../../recording/run-log.ts'
import { bareDefinition, ownDefinition, ownElection } from '../own-code.ts'
import type { Session } from '../protocol.ts'
import { reply, runSession } from '../reply.ts'
import { checkedModel } from './checked-model.ts'
import { estimateSession, exploreSession } from './explore-session.ts'
import { measurementSession, replaySession } from './measure-session.ts'
import type {
  CheckerAnswer,
  CheckerRequest,
  CheckSubject,
  GraphRequest,
  WalkRequest,
} from './protocol.ts'
import { proveSession } from './prove-session.ts'
import { simulatedRun } from './simulated-run.ts'

/** The checker is large and rarely needed on the page: a separate worker. */
self.onmessage = ({ data }: MessageEvent<CheckerRequest>) => {
  void runSession(data, () => sessionOf(data))
}

function sessionOf(request: CheckerRequest): Session {
  switch (request.want) {
    case 'explore':
      return exploreSession(definitionOf(request), request, reply)
    case 'estimate':
      return estimateSession(definitionOf(request), request, reply)
    case 'prove':
      return proveSession(
        request.code === null ? definitionNamed(request.algorithm) : bareDefinition(request.code),
        request,
        reply,
      )
    case 'measure':
      return measurementSession(request.scenario, ownElection(request.code), reply)
    case 'replay':
      return replaySession(request.trace, request.code && ownDefinition(request.code), reply)
    default:
      return atOnce(request)
  }
}

function* atOnce(request: Extract<CheckerRequest, { want: 'walk' | 'graph' | 'simulate' }>) {
  reply(
    request.want === 'simulate'
      ? { what: 'simulated', run: simulatedRun(definitionOf(request), request) }
      : walkAnswer(definitionOf(request), request),
  )
  yield
}

function definitionOf({ settings, code }: CheckSubject) {
  return code === null ? definitionNamed(settings.algorithm) : ownDefinition(code)
}

interface KeptWalk {
  readonly key: string
  readonly walk: ModelWalk
  readonly facts: RunFacts
}

/** The walk goes on from request to request, as long as the settings are the same. */
let kept: KeptWalk | null = null

/** Answers a request about a walk through the model. */
function walkAnswer(
  definition: Algorithm | Aggregation,
  request: WalkRequest | GraphRequest,
): CheckerAnswer {
  const { walk, facts } = walkOf(definition, request)
  return request.want === 'graph'
    ? { what: 'graph', graph: walk.graph(request.most) }
    : { what: 'walked', walked: walk.goTo(request.path), world: facts }
}

function walkOf(definition: Algorithm | Aggregation, { settings, code }: CheckSubject): KeptWalk {
  const key = JSON.stringify([settings, code])
  if (kept?.key === key) return kept
  const { target, model, properties, facts } = checkedModel(definition, settings)
  kept = { key, walk: new ModelWalk(target.world, model, properties, shownNaming), facts }
  return kept
}
