import { describe, expect, it } from 'vitest'
import { franklin } from '../../../src/algorithms/index.ts'
import { prove } from '../../../src/api/prove.ts'
import { seeStates } from '../../../src/api/prove-exploration.ts'
import { algorithm, left, message, uid } from '../../../src/core/index.ts'
import { ClausePool, type ReachedState } from '../../../src/prove/find/pool.ts'
import { vocabularyOf } from '../../../src/prove/vocabulary.ts'

/* Clauses over three nodes, which --find tries where time is given. */

describe('clauses about an id that a node keeps', () => {
  const vocabulary = vocabularyOf(franklin)
  const [narrow, wide] = [new ClausePool(vocabulary, false), new ClausePool(vocabulary, true)]
  const states: ReachedState[] = []
  seeStates(franklin, (state) => {
    narrow.see(state)
    wide.see(state)
    if (states.length < 400) states.push(state)
  })
  const all = wide.candidates()
  const three = all.filter(({ clause }) => clause.nodes === 3)

  it('are added to the others', () => {
    const others = all.filter((one) => !three.includes(one)).map(({ text }) => text)
    expect(others).toEqual(narrow.candidates().map(({ text }) => text))
    expect(three.length).toBeGreaterThan(50)
  })

  it('hold in all states seen, for all choices of nodes', () => {
    for (const { clause, text } of three)
      for (const { nodes, relations } of states)
        for (const a of nodes)
          for (const b of nodes)
            for (const c of nodes)
              if (!clause.holds(...([a, b, c, relations] as never[])))
                throw new Error(`${text} does not hold`)
  })

  it('have those that Franklin needs: an early id has passed only passive nodes', () => {
    const passed = '(a.side === right ? ring.inside(b, c, a) : ring.inside(a, c, b))'
    expect(
      three.map(({ text }) => text.slice(0, -1).split(' || ').slice(2).toSorted()),
    ).toContainEqual(['a.early !== b.id', `!${passed}`, 'c.passive'].toSorted())
  })
})

it('without an answer in time, a search says so; without a time it is as before', () => {
  const ID = message({ id: uid })
  const greedy = algorithm({
    name: 'greedy',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { ID },
    state: {},
    wakes: true,
    start(my, net) {
      net.lead()
      net.send(left, ID, { id: my.id })
    },
    on: { ID() {} },
  })
  const found = (limit: object) => prove(greedy, { find: true, explore: false, ...limit }).found
  expect(found({})).toMatchObject({ clauses: null, wide: false, stopped: false })
  const expired = () => true
  expect(found({ expired })).toMatchObject({ clauses: null, wide: true, stopped: true })
})
