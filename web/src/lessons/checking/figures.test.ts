import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'
import { sample } from '../../../../test/support/campaign.ts'
import { lessonRun } from './lesson-run.ts'
import { quantityOf } from './quantities.ts'

const FOLDER = new URL('../../../../docs/lessons/', import.meta.url)

/** A figure in the prose of a lesson: the words, and the run that gives it. */
type Figure = readonly [
  says: string,
  scenario: ScenarioInput,
  quantity: string,
  value: number | boolean | null,
]

const RING = { ids: [3, 2, 7, 8, 5, 4, 1, 6] }
const falling = (algorithm: string, n: number) => ({ algorithm, n, ids: 'decreasing' })
const rising = (algorithm: string, n: number) => ({ algorithm, n, ids: 'increasing' })
const FIVE = { algorithm: 'bully', ids: [1, 2, 3, 4, 5] }
const waves = (topology: string) => ({
  ...{ algorithm: 'echo-extinction', topology, ids: 'increasing' },
})
const COMPLETE = { algorithm: 'ghs', topology: 'complete:16', ids: 'increasing' }
const HALVES = { algorithm: 'quorum-lease', n: 4, partition: '0,1/2,3@30', until: 100 }
const path = (weights: readonly number[]) => ({ algorithm: 'ghs', topology: 'path:8', weights })
const gossip = (topology: string) => ({
  ...{ algorithm: 'gossip-average', topology, timing: 'cycles', values: 'index', until: 20 },
})
const PEAK = { algorithm: 'gossip-average', n: 20, values: 'peak', until: 12 }
const jump = (epoch: number) => ({
  ...{ algorithm: 'gossip-average', n: 20, timing: 'cycles', values: 'index;0@8=100', until: 30 },
  set: { epoch },
})

const FIGURES: Readonly<Record<string, readonly Figure[]>> = {
  '01-election': [
    ['5 decides at time 5', { algorithm: 'lcr', ids: [4, 2, 5, 1, 3] }, 'elected', 5],
    // The announcement comes home at 10, one step after the last of the others.
    ['hears of it at time 9', { algorithm: 'lcr', ids: [4, 2, 5, 1, 3] }, 'time', 10],
  ],
  '02-lcr': [
    ['needs 21 messages', { algorithm: 'lcr', ...RING }, 'cost', 21],
    ['need 21 messages here as well', { algorithm: 'lcr', ...RING, wake: '3' }, 'cost', 21],
  ],
  '03-hirschberg-sinclair': [
    ['136 messages each', falling('lcr', 16), 'cost', 136],
    ['136 messages each', falling('hirschberg-sinclair', 16), 'cost', 136],
    ['2,080 against 568', falling('lcr', 64), 'cost', 2080],
    ['2,080 against 568', falling('hirschberg-sinclair', 64), 'cost', 568],
    ['the worst ring of LCR is one of them', falling('hirschberg-sinclair', 8), 'cost', 64],
    ['106 messages instead of 64', falling('hirschberg-sinclair-one-way', 8), 'cost', 106],
    ['446 on 16 nodes', falling('hirschberg-sinclair-one-way', 16), 'cost', 446],
  ],
  '05-time': [
    ['For twelve rounds', { algorithm: 'time-slice', ids: [5, 2, 7, 3, 6, 4] }, 'elected', 13],
    ['instead of 9', { algorithm: 'slow-fast', ...RING, wake: '4' }, 'elected', 9],
    ['164 rounds', { algorithm: 'slow-fast', ...RING, wake: '4,7' }, 'elected', 164],
  ],
  '06-lower-bound': [
    ['This ring needs 40 messages', { algorithm: 'peterson', ...RING }, 'cost', 40],
    ['after one phase and need 24 messages', rising('peterson', 8), 'cost', 24],
    ['64 against 56', { algorithm: 'franklin', ids: [1, 5, 3, 7, 2, 6, 4, 8] }, 'cost', 64],
    ['not at all', { ...rising('peterson', 8), delay: 'uniform:1:10', wake: '2' }, 'cost', 24],
  ],
  '07-bully': [
    ['4 messages are enough', { ...FIVE, wake: '4' }, 'messages', 4],
    ['Coming back as 3 does no harm', { ...FIVE, crash: '2@8', recover: '2@16' }, 'holds', true],
  ],
  '08-complete-networks': [
    ['4,095 messages', rising('bully', 64), 'messages', 4095],
    ['Here 5 leads, not 16', rising('afek-gafni', 16), 'leader', 5],
    ['34 messages on 32 nodes', { algorithm: 'singh', n: 32, wake: '0' }, 'cost', 34],
    ['42 on 64', { algorithm: 'singh', n: 64, wake: '0' }, 'cost', 42],
    ['90 on 256', { algorithm: 'singh', n: 256, wake: '0' }, 'cost', 90],
    ['needs 64 on 64 nodes', { algorithm: 'afek-gafni', n: 64, wake: '0' }, 'cost', 64],
    ['takes 98 units of time', { algorithm: 'afek-gafni', n: 64 }, 'elected', 98],
  ],
  '09-trees': [
    ['38 tokens are sent', waves('path:7'), 'messages.token', 38],
    ['15,903 tokens are sent', waves('complete:32'), 'messages.token', 15_903],
    ['1,935 tokens against 340 messages', waves('complete:16'), 'messages.token', 1935],
    ['1,935 tokens against 340 messages', COMPLETE, 'cost', 340],
    ['36 messages are enough', path([1, 2, 3, 4, 5, 6, 7]), 'cost', 36],
  ],
  '13-leases': [['Who leads?', HALVES, 'leaders', 0]],
  '11-gossip': [
    ['from 0.92 to 0.61', gossip('small-world:40:4:0'), 'factor', 0.92],
    ['from 0.92 to 0.61', gossip('small-world:40:4:0.5'), 'factor', 0.61],
    ['as fast as a complete network', gossip('star:40'), 'factor', 0.32],
  ],
  '12-broken-gossip': [
    ['5 % too high', { ...PEAK, crash: '7@2' }, 'estimate', 1.05],
    [
      '13 % too low',
      { ...PEAK, algorithm: 'gossip-average-naive', delay: 'constant:2' },
      'estimate',
      0.87,
    ],
    ['the new one is 14.5', jump(10), 'truth', 14.5],
    ['With epochs of 10 cycles', jump(10), 'converged', true],
    ['With 5 no epoch', jump(5), 'converged', false],
    ['with 12 the run ends', jump(12), 'converged', false],
  ],
}

describe.each(Object.entries(FIGURES))('%s', (file, figures) => {
  const text = readFileSync(new URL(`${file}.md`, FOLDER), 'utf8').replace(/\s+/g, ' ')

  it.each(sample(figures, 3))('says "%s"', (says, scenario, quantity, value) => {
    expect(text).toContain(says)
    const found = quantityOf(quantity, lessonRun(scenario))
    expect(typeof value === 'number' ? Number(Number(found).toFixed(2)) : found).toBe(value)
  })
})
