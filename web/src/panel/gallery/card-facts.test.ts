import { expect, it } from 'vitest'
import { aggregations, catalogue, definitionNamed } from '../../../../src/algorithms/index.ts'
import type { EngineAnswer } from '../../engine/protocol.ts'
import { recordingSession } from '../../engine/sessions.ts'
import { RunLog } from '../../recording/run-log.ts'
import { gallery } from '../gallery.ts'
import { factsOf } from './card-facts.ts'

const exhibits = gallery.flatMap((room) => room.exhibits)

it('every algorithm of the catalogue has an exhibit', () => {
  const shown = exhibits.map(({ scenario }) => scenario.algorithm)
  const names = [...catalogue, ...aggregations].map(({ name }) => name)
  expect(names.filter((name) => !shown.includes(name))).toEqual([])
})

it.each(exhibits)('$title plays as long as its card says', (exhibit) => {
  const { scenario, speed = 1 } = exhibit
  let log!: RunLog
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'begun') log = new RunLog(answer.world)
    if (answer.what === 'chunk') log.append(answer.chunk)
  }
  const what = definitionNamed(scenario.algorithm)
  const session = recordingSession(scenario, what, take)
  for (const _ of session);
  const lasts = log.timeOf(log.steps - 1) / speed
  expect(Math.abs(factsOf(exhibit).seconds - lasts), String(lasts)).toBeLessThanOrEqual(2)
})
