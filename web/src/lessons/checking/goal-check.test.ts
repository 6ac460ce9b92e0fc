import { describe, expect, it } from 'vitest'
import { readGoal } from '../format/goal.ts'
import { checkGoal, judgeNumber, rightChoices } from './goal-check.ts'
import { lessonRun } from './lesson-run.ts'
import { quantityOf } from './quantities.ts'

const WORST = { algorithm: 'lcr', n: 8, ids: 'decreasing' }
const worst = lessonRun(WORST)
const said = (goal: object, run = worst) =>
  checkGoal(readGoal({ ...goal }, 'a task'), run).map(({ met, text }) => `${met}: ${text}`)

it('checks goals, and says what is missing', () => {
  expect(said({ 'messages.election': 36, messages: 40 })).toEqual([
    'true: 36 election messages.',
    'false: 44 messages; 40 are wanted.',
  ])
  expect(said({ leaders: { atLeast: 2 }, changes: { atMost: 1 }, leader: 7 })).toEqual([
    'false: 1 leader at the end; at least 2 are wanted.',
    'true: 0 changes of yours.',
    'false: 8 leads; 7 should.',
  ])
  expect(said({ violated: 'at most one leader', holds: true, counterexample: true })).toEqual([
    'false: "at most one leader" still holds.',
    'true: Every property holds.',
    'false: No counterexample is found yet.',
  ])
  expect(said({ time: { below: 10 }, n: { not: 8 }, elected: { above: 7, atMost: 8 } })).toEqual([
    'false: The end is at time 16; it should be less than 10.',
    'false: 8 nodes; another number is wanted.',
    'true: The leader is elected at time 8.',
  ])
  expect(said({ messages: { near: 40, by: 4 }, bits: { near: 1, by: 1 } })[0]).toMatch(/^true/)
})

it('sees leaders at the same time, and changes', () => {
  const twins = lessonRun({ algorithm: 'lcr', n: 6, ids: 'same' })
  expect(quantityOf('leadersAtOnce', twins)).toBe(6)
  expect(said({ violated: 'at most one leader' }, twins)[0]).toMatch(/^true/)
  const broken = lessonRun(WORST, [{ what: 'crash', node: 0, at: 2.5 }])
  expect(['crashes', 'alive', 'changes', 'leader'].map((name) => quantityOf(name, broken))).toEqual(
    [...[1, 7, 1, 7]],
  )
})

describe('gossip', () => {
  const average = { algorithm: 'gossip-average', n: 20, timing: 'cycles', values: 'index' }
  const near = lessonRun({ ...average, until: 20 })
  const far = lessonRun({ ...average, until: 2 })

  it('has estimates, errors and a cycle from which they are small', () => {
    expect(quantityOf('truth', near)).toBe(9.5)
    expect(quantityOf('estimate', near)).toBeCloseTo(9.5)
    expect([near, far].map((run) => quantityOf('converged', run))).toEqual([true, false])
    const reached = Number(quantityOf('reached', near))
    const until = (cycles: number) => lessonRun({ ...average, until: cycles })
    expect(Number(quantityOf('error', until(reached)))).toBeLessThanOrEqual(0.01)
    expect(Number(quantityOf('error', until(reached - 1)))).toBeGreaterThan(0.01)
  })
})

it('accepts predictions within the tolerance', () => {
  const share = { tolerance: { by: 0.1, share: true } }
  const exact = { tolerance: { by: 0, share: false } }
  expect([36, 33, 39.6, 40].map((guess) => judgeNumber(guess, 36, share))).toEqual([
    ...['right', 'near', 'near', 'wrong'],
  ])
  expect(judgeNumber(35, 36, exact)).toBe('wrong')
  expect(judgeNumber(0.305, 0.30491, exact)).toBe('right')
})

it('finds the choice with the computed value', () => {
  const choices = ['7', '8, the largest', '80'].map((text) => ({ text, right: false }))
  expect(rightChoices({ choices, answer: 'leader' } as never, 8)).toEqual([false, true, false])
})
