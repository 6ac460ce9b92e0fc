import { expect, it } from 'vitest'
import { bully } from '../../../src/algorithms/index.ts'
import { spaceTime } from '../../../src/diagram/space-time/space-time.ts'
import { observe } from '../../support/random-worlds.ts'

const count = (text: string, piece: string) => text.split(piece).length - 1

it('draws recoveries, retirements and all notices of the detector, and explains them', () => {
  const faults = { crash: '3@8', recover: '3@20', retire: '2@30' }
  const { events } = observe(bully, { ids: '1,2,3,4', topology: 'complete:4', ...faults })
  const svg = spaceTime(events, { title: 'bully', unit: 'time', n: 4 })
  const [plot, legend] = svg.split('class="legend"')
  for (const kind of ['crash', 'recover', 'retire', 'down', 'up'] as const) {
    const drawn = count(plot, `class="mark ${kind}"`)
    expect([kind, drawn]).toEqual([kind, events.filter(({ event }) => event === kind).length])
    expect([kind, count(legend, `class="mark ${kind}"`)]).toEqual([kind, 1])
  }
  for (const meaning of ['recovers', 'retires', 'a node is down', 'a node is up'])
    expect(legend).toContain(meaning)
  expect(plot).toContain('time 9: down p3')
})

it('explains no sign that is not there', () => {
  const { events } = observe(bully, { topology: 'complete:4' })
  const svg = spaceTime(events, { title: 'bully', unit: 'time', n: 4 })
  for (const kind of ['recover', 'retire', 'down', 'up'])
    expect(svg).not.toContain(`class="mark ${kind}"`)
})
