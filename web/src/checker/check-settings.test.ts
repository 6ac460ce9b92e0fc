import { describe, expect, it } from 'vitest'
import { definitionNamed } from '../../../src/algorithms/index.ts'
import { defaultOptions } from '../../../src/check/index.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { definitionEntry } from '../engine/algorithm-settings.ts'
import { checkedModel } from '../engine/checker/checked-model.ts'
import { gallery } from '../panel/gallery.ts'
import { derivedSettings, explorationCommand } from './check-settings.ts'

function derived(scenario: ScenarioInput) {
  const definition = definitionNamed(scenario.algorithm)
  const { checked, time } = definitionEntry(definition)
  const whole = prepare(scenario, definition, String)
  const { n, kind } = whole.topology
  return derivedSettings({
    algorithm: definition.name,
    fields: scenario,
    n,
    timing: whole.scenario.timing,
    ring: kind === 'ring',
    time,
    checked,
  })
}

describe('the settings of the checker', () => {
  const exhibits = gallery.flatMap((room) => room.exhibits)

  it.each(exhibits)('are made of every exhibit: $title', ({ scenario }) => {
    const { settings } = derived(scenario)
    const { target, model } = checkedModel(definitionNamed(scenario.algorithm), settings)
    expect(target.world.topology.n).toBeGreaterThan(1)
    const { order } = defaultOptions(target.world.algorithm, [])
    expect(model.order).toBe(scenario.order ?? order)
  })

  it('have as many faults as the scenario, at any moment', () => {
    const { settings, left } = derived({
      algorithm: 'bully',
      n: 4,
      crash: '0,3@4,2@9',
      recover: '3@20:id=7,2@30',
      loss: 0.1,
      wake: '1@2',
      suspect: '1@3..4',
      delay: 'uniform:1:3',
    })
    expect(settings.given).toEqual({ n: 4, wake: '1', crash: '0' })
    expect(settings.asked).toEqual({
      mode: 'clocked:3',
      crashes: 2,
      recoveries: 2,
      losses: 1,
      reappear: true,
    })
    expect(left).toEqual(['false suspicions'])
    expect(explorationCommand(settings, { states: 10, worst: 'messages' }, null)).toBe(
      'conclave check bully -n 4 --wake 1 --crash 0 --mode clocked:3 --crashes 2 --recoveries 2 ' +
        '--losses 1 --reappear --states 10 --worst messages',
    )
  })
})
