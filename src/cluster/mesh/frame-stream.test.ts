import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { framed } from '../transports/framing.ts'
import { FrameStream } from './frame-stream.ts'
import type { Stream, StreamListener } from './stream.ts'

const LEASE = 2000
const LAST = Uint8Array.of(0, 4)

/** Frames over a stream that only records what is done with it. */
function recorded(staysOpen: number) {
  const clock = new ManualClock()
  const done: string[] = []
  let listener: StreamListener | undefined
  const stream: Stream = {
    remote: '10.0.0.2:7001',
    certifiedNames: null,
    buffered: 0,
    listen: (given) => {
      listener = given
    },
    write: () => done.push('write'),
    pause: () => {},
    resume: () => {},
    end: () => done.push(`end at ${clock.now()}`),
    destroy: () => done.push(`destroy at ${clock.now()}`),
  }
  const frames = new FrameStream(stream, clock, () => done.push('released'))
  frames.staysOpen = staysOpen
  frames.start({
    frame: () => {
      throw new Error('no')
    },
    closed: () => frames.end(LAST),
  })
  return { clock, done, frames, listener: listener! }
}

describe('a stream of frames that this side has done with', () => {
  it('ends at once, and is destroyed a little later', () => {
    const { clock, done, frames } = recorded(0)
    frames.end(LAST)
    expect(done).toEqual(['write', 'end at 0'])
    clock.advance(LEASE)
    expect(done.slice(2)).toEqual(['destroy at 500', 'released'])
  })

  it('stays open for a lease where its end would show that this process is gone', () => {
    const { clock, done, frames } = recorded(LEASE)
    frames.end(LAST)
    clock.advance(LEASE - 1)
    expect(done).toEqual(['write'])
    clock.advance(1)
    expect(done.slice(1)).toEqual([`destroy at ${LEASE}`, 'released'])
  })

  it('also after a frame that could not be handled', () => {
    const { clock, done, listener } = recorded(LEASE)
    listener.data(framed(Uint8Array.of(1)))
    clock.advance(LEASE - 1)
    expect(done).toEqual(['write'])
    clock.advance(1)
    expect(done.slice(1)).toEqual([`destroy at ${LEASE}`, 'released'])
  })

  it('is free at once when the other side has closed it', () => {
    const { clock, done, frames, listener } = recorded(LEASE)
    frames.end(LAST)
    clock.advance(3)
    listener.closed('closed by the other side', true)
    expect(done.slice(1)).toEqual(['destroy at 3', 'released'])
    clock.advance(LEASE)
    expect(done).toHaveLength(3)
  })
})
