import * as core from '../../../src/core/index.ts'
import { leaderPerTerm } from '../../../src/problems/index.ts'

/** What may be used in a text, beside messages with an id, with none, and with a term. */
const WORDS = {
  ...core,
  leaderPerTerm,
  RING: { topology: 'ring', ids: 'unique' },
  COMPLETE: { topology: 'complete', ids: 'unique' },
}

const MESSAGES = `
  const A = message({ id: uid }), B = message({ id: uid }), P = message({})
  const T = message({ term }), ASK = message({}), YES = message({})`

/** A definition out of plain JavaScript, which no compiler has looked at. */
export function definitionOf(members: string, before = ''): core.Algorithm {
  const code = `${MESSAGES}
    ${before}
    return algorithm({ name: 'own', needs: RING, state: {}, wakes: true, ${members} })`
  return new Function(...Object.keys(WORDS), code)(...Object.values(WORDS))
}
