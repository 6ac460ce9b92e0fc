import { describe, expect, it } from 'vitest'
import { optionNamed, SCENARIO_OPTIONS, scenarioInput } from './scenario.ts'
import type { ScenarioOptions } from './scenario-options.ts'

describe('options as data', () => {
  it.each<[ScenarioOptions, object]>([
    [
      {
        topology: {
          edges: [
            [0, 1],
            [1, 2],
          ],
        },
      },
      { topology: 'edges:0-1,1-2' },
    ],
    [{ delay: { model: 'constant', delay: 2 } }, { delay: 'constant:2' }],
    [{ delay: { model: 'uniform', from: 1, to: 10 } }, { delay: 'uniform:1:10' }],
    [{ delay: { model: 'exponential', mean: 3 } }, { delay: 'exponential:3' }],
    [{ wake: [0, { node: 4 }, { node: 5, at: 3 }] }, { wake: '0,4,5@3' }],
    [{ wake: { rate: 0.8 } }, { wake: 'rate:0.8' }],
    [{ crash: [7, { node: 1, at: 4 }, { share: 1, at: 9 }] }, { crash: '7,1@4,1.0@9' }],
    [{ crash: [] }, { crash: 'none' }],
    [
      {
        recover: [
          { node: 7, at: 30 },
          { node: 8, at: 31, id: 2 },
        ],
      },
      { recover: '7@30,8@31:id=2' },
    ],
    [{ retire: [{ node: 7, at: 20 }] }, { retire: '7@20' }],
    [{ suspect: [2, { node: 3, from: 10, to: 20 }] }, { suspect: '2,3@10..20' }],
    [{ partition: [{ groups: [[0, 1], [2]], to: 5 }] }, { partition: '0,1/2@..5' }],
    [{ cut: [[0, 1], { link: [1, 2], from: 5 }] }, { cut: '0-1,1-2@5' }],
    [{ tamper: [{ drop: 17 }, { arrive: 18, at: 4.5 }] }, { tamper: 'drop:17,arrive:18@4.5' }],
    [{ set: { patience: 3, side: undefined } }, { set: { patience: 3 } }],
    [
      { electBy: 'degree', maxMessages: 9 },
      { 'elect-by': 'degree', 'max-messages': 9 },
    ],
    [
      { ids: [3, 1, 2], values: [1, 2, 3], weights: [1] },
      { ids: [3, 1, 2], values: [1, 2, 3], weights: [1] },
    ],
  ])('%j are the fields %j', (options, fields) => {
    expect(scenarioInput(options)).toEqual(fields)
  })

  it('may be the text of a flag too, and what is undefined is left out', () => {
    const options = { crash: '1@4', delay: 'unit', wake: 'all', set: 'patience=2', n: undefined }
    expect(scenarioInput(options as never)).toEqual({
      crash: '1@4',
      delay: 'unit',
      wake: 'all',
      set: 'patience=2',
    })
  })

  it.each([
    [{ crash: [1, { nod: 1 }] }, 'crash[1]: cannot read {"nod":1}. Write for example crash: [{'],
    [{ crash: [{ node: 1, when: 4 }] }, 'crash[0]: cannot read {"node":1,"when":4}.'],
    [{ crash: { node: 1 } }, 'crash: cannot read {"node":1}.'],
    [{ crash: [null] }, 'crash[0]: cannot read null.'],
    [{ recover: [{ node: 1 }] }, 'recover[0]: cannot read {"node":1}.'],
    [{ suspect: [{ node: 1, from: '3' }] }, 'suspect[0]: cannot read'],
    [{ partition: [[0, 1]] }, 'partition[0]: cannot read [0,1].'],
    [{ cut: [[0]] }, 'cut[0]: cannot read [0].'],
    [{ tamper: [{ lose: 1 }] }, 'tamper[0]: cannot read {"lose":1}.'],
    [{ partition: [{ groups: [[0], []] }] }, 'partition[0]: cannot read'],
    [{ wake: [] }, 'wake: cannot read [].'],
    [{ wake: ['x'] }, 'wake[0]: cannot read "x".'],
    [{ topology: { edges: [[0]] } }, 'topology.edges[0]: cannot read [0].'],
    [{ topology: { edges: [[1, 1]] } }, 'topology.edges[0]: cannot read [1,1].'],
    [{ topology: { edges: [] } }, 'topology.edges: cannot read []. Write for example topology: {'],
    [{ topology: {} }, 'topology.edges: it is missing. Write for example topology.edges: [['],
    [{ topology: { edge: [[0, 1]] } }, 'topology.edge: there is no field of this name. Did you'],
    [{ crash: [{ node: 1, at: -1 }] }, 'crash[0].at: expected a time of at least 0, got -1.'],
    [{ crash: [0, Number.NaN] }, 'crash[1]: expected a position, which is a whole number'],
    [{ crash: [{ share: 2, at: 1 }] }, 'crash[0].share: expected a share from 0 to 1, got 2.'],
    [{ recover: [{ node: 0.5, at: 1 }] }, 'recover[0].node: expected a position'],
    [{ recover: [{ node: 0, at: 1, id: -3 }] }, 'recover[0].id: expected an id'],
    [{ suspect: [{ node: 0, from: 9, to: 4 }] }, 'suspect[0].to: expected a time after 9'],
    [{ partition: [{ groups: [[0], ['1']] }] }, 'partition[0].groups[1][0]: expected a position'],
    [{ cut: [[0, -1]] }, 'cut[0][1]: expected a position'],
    [{ tamper: [{ drop: -1 }] }, 'tamper[0].drop: expected the number of a message'],
    [{ wake: { rate: Number.NaN } }, 'wake.rate: expected a rate from 0 to 1, got NaN.'],
    [{ delay: { model: 'constant' } }, 'delay.delay: expected a delay above 0'],
    [{ delay: { model: 'uniform', from: 0, to: 3 } }, 'delay.from: expected a delay from 1'],
    [{ delay: { model: 'uniform', from: 5, to: 3 } }, 'delay.to: expected a delay of at least 5'],
    [{ delay: { model: 'normal' } }, 'delay: cannot read {"model":"normal"}.'],
  ])('%j are refused, and the error names the option', (options, message) => {
    expect(() => scenarioInput(options as never)).toThrow(message)
  })

  it('are named in errors as they are written', () => {
    expect(['elect-by', 'max-messages', 'n'].map(optionNamed)).toEqual([
      'electBy',
      'maxMessages',
      'n',
    ])
    expect(new Set(SCENARIO_OPTIONS).size).toBe(SCENARIO_OPTIONS.length)
  })
})
