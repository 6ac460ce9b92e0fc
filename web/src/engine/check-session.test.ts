import { expect, it } from 'vitest'
import { bully } from '../../../src/algorithms/complete/bully.ts'
import { checkSession } from './check-session.ts'
import type { EngineAnswer } from './protocol.ts'

it.each([{}, { delay: 'uniform:1:5' }, { timing: 'sync' }])(
  'an algorithm that needs a bound on delays is explored with one: %o',
  (given) => {
    const answers: EngineAnswer[] = []
    for (const _ of checkSession({ n: 3, ...given }, bully, (answer) => answers.push(answer)));
    expect(answers).toMatchObject([
      { what: 'explored', result: { violated: null, exhausted: true } },
    ])
  },
)
