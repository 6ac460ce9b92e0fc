import { describe, expect, it } from 'vitest'
import { changRoberts } from '../../../../src/algorithms/index.ts'
import { recordingSession } from '../../engine/sessions.ts'
import { RunLog } from '../../recording/run-log.ts'
import { causalPast } from './causal-past.ts'

function logOf(given: Readonly<Record<string, unknown>>): RunLog {
  let log: RunLog | undefined
  for (const _ of recordingSession(given, changRoberts, (answer) => {
    if (answer.what === 'begun') log = new RunLog(answer.world)
    if (answer.what === 'chunk') log?.append(answer.chunk)
  }));
  return log!
}

describe('the causal past', () => {
  it('is what vector clocks say', () => {
    const log = logOf({ n: 9, delay: 'uniform:1:7', seed: 5 })
    const clocks = Array.from({ length: 9 }, () => new Map<number, number>())
    const carried = new Map<number, ReadonlyMap<number, number>>()
    const timestamps: ReadonlyMap<number, number>[] = []
    const merge = (into: Map<number, number>, other: ReadonlyMap<number, number>) => {
      for (const [node, tick] of other) into.set(node, Math.max(tick, into.get(node) ?? 0))
    }
    for (let step = 0; step < log.steps; step++) {
      const node = log.nodeOf(step)
      for (const { kind, message } of log.eventsOf(step)) {
        if (kind === 'receive') merge(clocks[node], carried.get(message)!)
      }
      clocks[node].set(node, (clocks[node].get(node) ?? 0) + 1)
      timestamps.push(new Map(clocks[node]))
      for (const { kind, message } of log.eventsOf(step))
        if (kind === 'send') carried.set(message, timestamps[step])
    }
    const precedes = (a: number, b: number) =>
      (timestamps[b].get(log.nodeOf(a)) ?? 0) >= timestamps[a].get(log.nodeOf(a))!
    for (let step = 0; step < log.steps; step++) {
      const expected = [...timestamps.keys()].filter((other) => precedes(other, step))
      expect([...causalPast(log, step)].sort((a, b) => a - b)).toEqual(expected)
    }
  })
})
