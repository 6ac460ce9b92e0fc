import { expect, it } from 'vitest'
import { complete } from '../core/networks/complete.ts'
import { ring } from '../core/networks/ring.ts'
import { LinkCounters } from './link-counters.ts'

it('traffic is by direction of each link, and silent ones are left out', () => {
  const topology = complete(3)
  const tallies = new LinkCounters(topology)
  tallies.sending(0, topology.channel(0, 1))
  tallies.sending(0, topology.channel(0, 1))
  tallies.sending(2, topology.channel(2, 2))
  expect([...tallies.sent]).toEqual([2, 0, 1])
  expect(tallies.traffic(topology)).toEqual([
    { from: 0, to: 1, messages: 2 },
    { from: 2, to: 1, messages: 1 },
  ])
})

it('two parallel links, and a link to oneself, are told apart', () => {
  for (const n of [1, 2]) {
    const topology = ring(n)
    const tallies = new LinkCounters(topology)
    tallies.sending(0, topology.channel(0, 0))
    tallies.sending(0, topology.channel(0, 1))
    expect(tallies.traffic(topology)).toEqual([
      { from: 0, to: n - 1, messages: 1 },
      { from: 0, to: n - 1, messages: 1 },
    ])
  }
})
