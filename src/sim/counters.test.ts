import { expect, it } from 'vitest'
import { complete } from '../core/networks/complete.ts'
import { ring } from '../core/networks/ring.ts'
import { LinkCounters } from './counters.ts'
import { addedUp } from './result.ts'

it('traffic is by direction of each link, and silent ones are left out', () => {
  const topology = complete(3)
  const counters = new LinkCounters(topology)
  counters.sending(0, topology.channel(0, 1))
  counters.sending(0, topology.channel(0, 1))
  counters.sending(2, topology.channel(2, 2))
  expect([...counters.sent]).toEqual([2, 0, 1])
  expect(counters.traffic(topology)).toEqual([
    { from: 0, to: 1, messages: 2 },
    { from: 2, to: 1, messages: 1 },
  ])
})

it('two parallel links, and a link to the node itself, are distinguished', () => {
  for (const n of [1, 2]) {
    const topology = ring(n)
    const counters = new LinkCounters(topology)
    counters.sending(0, topology.channel(0, 0))
    counters.sending(0, topology.channel(0, 1))
    expect(counters.traffic(topology)).toEqual([
      { from: 0, to: n - 1, messages: 1 },
      { from: 0, to: n - 1, messages: 1 },
    ])
  }
})

it('counts of message types with names that every object has are added up', () => {
  const counts = JSON.parse('{"constructor": 1, "__proto__": 2, "valueOf": 3}')
  expect(JSON.stringify(addedUp([counts, counts]))).toBe(
    '{"constructor":2,"__proto__":4,"valueOf":6}',
  )
})
