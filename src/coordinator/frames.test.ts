import { describe, expect, test } from 'vitest'
import { MalformedBytes } from '../core/runtime/bytes.ts'
import { Random } from '../core/runtime/random.ts'
import {
  FRAME,
  FrameWriter,
  type RoleReport,
  readAggregate,
  readBeat,
  readRole,
  readStatus,
} from './frames.ts'

const frames = new FrameWriter()
const bytes = Uint8Array.of(1, 2, 3)
const report: RoleReport = {
  ...{ definition: 'leased:bully', votes: true, key: 2 ** 52 + 3, present: 0 },
  leader: { id: 'b', term: 7 },
}

describe('frames', () => {
  test('are read as they were written', () => {
    const beat = { sent: 2 ** 50, echo: 0, held: 17, interval: 250 }
    expect(readBeat(frames.beat(beat))).toEqual(beat)
    const role = { role: 'cron', definition: '', version: { term: 3, number: 1 }, bytes }
    expect(readRole(frames.role(role))).toEqual(role)
    expect(readAggregate(frames.aggregate({ tag: 5, bytes }))).toEqual({ tag: 5, bytes })
    const reports = new Map([
      ['cron', report],
      ['other', { ...report, votes: false, leader: null }],
    ])
    expect(readStatus(frames.status(reports))).toEqual(reports)
    expect(frames.beat(beat)[0]).toBe(FRAME.BEAT)
    expect(frames.status(reports)[0]).toBe(FRAME.STATUS)
  })

  test('that are cut off or changed at random are refused, and nothing worse', () => {
    const written = [
      [readBeat, frames.beat({ sent: 1, echo: 2, held: 3, interval: 4 })],
      [readStatus, frames.status(new Map([['cron', report]]))],
    ] as const
    for (const [read, frame] of written) {
      for (let length = 1; length < frame.length; length++)
        expect(() => read(frame.subarray(0, length))).toThrow(MalformedBytes)
      expect(() => read(Uint8Array.of(...frame, 0))).toThrow(MalformedBytes)
    }
    const random = Random.from(3)
    for (let i = 0; i < 3000; i++) {
      const [read, frame] = written[i % 2]
      const changed = frame.slice()
      changed[1 + random.below(frame.length - 1)] = random.below(256)
      try {
        read(changed)
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedBytes)
      }
    }
  })
})
