import fc from 'fast-check'
import { expect, test } from 'vitest'
import { campaign } from '../../test/support/campaign.ts'
import { Random } from '../core/runtime/random.ts'
import { TerminationDetector, type TerminationToken } from './termination-detection.ts'

/** Members that send messages at random, up to a common budget. */
class Crowd {
  readonly inFlight: number[] = []
  token: { at: number; token: TerminationToken } | null = null
  quiet = false
  private readonly detectors: TerminationDetector[]
  private readonly busy: boolean[]

  constructor(
    private readonly n: number,
    private budget: number,
    private readonly random: Random,
  ) {
    this.detectors = Array.from({ length: n }, (_, i) => new TerminationDetector(i === 0))
    this.busy = Array.from({ length: n }, () => random.below(2) === 0)
    this.pass(0, this.detectors[0].start())
  }

  get active(): boolean {
    return this.busy.includes(true) || this.inFlight.length > 0
  }

  /** One of the possible next events. */
  step(): void {
    const options = [
      ...this.inFlight.map((_, index) => () => this.deliver(index)),
      ...this.busy.flatMap((busy, i) => (busy ? [() => this.work(i)] : [])),
      ...(this.token === null ? [] : [() => this.hold()]),
    ]
    options[this.random.below(options.length)]()
  }

  private deliver(index: number): void {
    const [to] = this.inFlight.splice(index, 1)
    this.detectors[to].messageReceived()
    this.busy[to] = this.random.below(2) === 0
    this.advance(to)
  }

  private work(i: number): void {
    if (this.budget > 0) {
      this.budget--
      this.detectors[i].messageSent()
      this.inFlight.push(this.random.below(this.n))
    }
    this.busy[i] = this.random.below(3) > 0 && this.budget > 0
    this.advance(i)
  }

  private hold(): void {
    const { at, token } = this.token!
    this.token = null
    expect(this.detectors[at].receiveToken(token)).toBe(true)
    this.advance(at)
  }

  private advance(i: number): void {
    if (this.busy[i]) return
    const found = this.detectors[i].passOn()
    if (found === 'quiet') this.quiet = true
    else this.pass(i, found)
  }

  private pass(from: number, token: TerminationToken | null): void {
    if (token !== null) this.token = { at: (from + 1) % this.n, token }
  }
}

test('termination is detected only when it is true, and at most three laps later', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 6 }), fc.nat(40), (seed, n, budget) => {
      const crowd = new Crowd(n, budget, Random.from(seed))
      let idle = 0
      while (!crowd.quiet) {
        crowd.step()
        if (crowd.quiet) expect(crowd.active).toBe(false)
        if (!crowd.active) idle++
        expect(idle).toBeLessThanOrEqual(3 * n)
      }
    }),
    { numRuns: campaign(2400) },
  )
})

test('no token is sent before the election is active', () => {
  const first = new TerminationDetector(true)
  expect(first.passOn()).toBe(null)
  expect(first.start()).toEqual({ sent: 0, received: 0, black: false })
  expect(first.start()).toBe(null)
})

test('a token that cannot exist is refused', () => {
  const token = { sent: 0, received: 0, black: false }
  expect(new TerminationDetector(true).receiveToken(token)).toBe(false)
  const other = new TerminationDetector(false)
  expect(other.start()).toBe(null)
  expect(other.receiveToken(token)).toBe(true)
  expect(other.receiveToken(token)).toBe(false)
})
