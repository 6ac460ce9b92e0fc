import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import type { EngineAnswer } from '../engine/protocol.ts'
import { recordingSession } from '../engine/sessions.ts'
import { RunFrame } from '../recording/frame.ts'
import { RunLog } from '../recording/run-log.ts'
import { fieldsOf, stateValueText } from './field-values.ts'

/** A whole run of the catalogue, from its end. */
function ended(name: string, given: Readonly<Record<string, unknown>>): RunFrame {
  let log!: RunLog
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'begun') log = new RunLog(answer.world)
    if (answer.what === 'chunk') log.append(answer.chunk)
  }
  const algorithm = catalogue.find((one) => one.name === name)!
  for (const _ of recordingSession(given, algorithm, take));
  return new RunFrame(log).seek(log.steps)
}

function fields(frame: RunFrame, node: number): Record<string, string> {
  const state = JSON.parse(frame.log.texts[frame.state[node]])
  return Object.fromEntries(fieldsOf(frame, state, null).map(({ name, text }) => [name, text]))
}

describe('the state of a node', () => {
  // The line 30 - 10 - 20: the middle node is at position 1.
  const line = { topology: 'edges:0-1,1-2', ids: [30, 10, 20] }

  it('has the ids of neighbours in place of the numbers of links', () => {
    const frame = ended('ghs', line)
    expect(fields(frame, 1).edges).toMatch(/^(30: branch, 20: branch|20: branch, 30: branch)$/)
    expect(fields(frame, 0).inward).toBe('10')
    expect(fields(frame, 2).edges).toBe('10: branch')
  })

  it('names parents and children of a wave', () => {
    const frame = ended('wireless', { ...line, wake: '0' })
    expect(fields(frame, 0)).toMatchObject({ parent: 'none', children: '10' })
    expect(fields(frame, 1)).toMatchObject({ parent: '30', children: '20' })
    expect(fields(frame, 2)).toMatchObject({ parent: '10', children: 'none' })
  })

  it('has no brackets and quotation marks of JSON', () => {
    const frame = ended('lcr', { n: 3 })
    const texts: readonly [unknown, string][] = [
      [[], 'none'],
      [[3, 1], '3, 1'],
      [Array.from({ length: 100 }, (_, i) => i / 8), '0, 0.125, 0.25, 0.375, ... 100 in all'],
      [[[7, true]], '7: yes'],
      [[[7, [1, 2]]], '7: (1, 2)'],
      [{ weight: 0.123456, low: 3 }, 'weight 0.1235, low 3'],
      ['', 'none'],
    ]
    for (const [value, text] of texts) expect(stateValueText(frame, value)).toBe(text)
  })

  it('says what has changed, and from what', () => {
    const frame = ended('lcr', { n: 3 })
    expect(fieldsOf(frame, { phase: 2, best: 4 }, { phase: 1, best: 4 })).toEqual([
      { name: 'phase', text: '2', former: '1' },
      { name: 'best', text: '4', former: null },
    ])
    const [before, now] = [
      {
        edges: [
          [1, 'basic'],
          [2, 'branch'],
        ],
      },
      {
        edges: [
          [1, 'rejected'],
          [2, 'branch'],
        ],
      },
    ]
    expect(fieldsOf(frame, now, before)).toEqual([
      { name: 'edges', text: '1: rejected, 2: branch', former: '1: basic' },
    ])
  })
})
