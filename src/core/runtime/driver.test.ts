import { beforeEach, describe, expect, it } from 'vitest'
import { algorithm } from '../language/algorithm.ts'
import { message, timer } from '../language/message.ts'
import { left, right } from '../language/net.ts'
import type { Theory } from '../language/theory.ts'
import { nat } from '../language/value-types.ts'
import { Driver, type OutcomeChange } from './driver.ts'
import type { AnyBody } from './message-codec.ts'
import type { State, Status } from './state.ts'

const HELLO = message({ number: nat })
const THIRD = message({})
const STRANGE = message({})
const TIMER = timer()
const OTHER_TIMER = timer()
const theory: Theory = {
  ...{ authors: '', idea: '', because: '', breaks: '', example: '', cost: '' },
  bounds: [],
}

const sampleOf = (wakes: boolean) =>
  algorithm({
    name: 'sample',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { HELLO, SECOND: message({}), THIRD },
    timers: { TIMER },
    state: { started: nat, recovered: nat, heard: nat, thirds: nat, rung: nat },
    wakes,
    start(my) {
      my.started++
    },
    recover(my) {
      my.recovered++
    },
    on: {
      HELLO(my, { number }) {
        my.heard += number
      },
      SECOND(_my, _body, net) {
        net.stop()
      },
      THIRD(my) {
        my.thirds++
      },
    },
    timeout: {
      TIMER(my) {
        my.rung++
      },
    },
    theory,
  })

/** A driver of one node that writes down what it is asked for. */
class Diary extends Driver {
  readonly n = 1
  protected readonly node = 0
  readonly links = [left, right]
  readonly degree = 2
  readonly pages: unknown[] = []

  constructor(
    wakes: boolean,
    readonly my: State = sampleOf(wakes).layout.create(5, {}),
  ) {
    super(sampleOf(wakes), 0)
  }

  up(): boolean {
    return true
  }
  weight(): number {
    return 1
  }
  protected dispatch(link: number, kind: number, body: AnyBody): void {
    this.pages.push(['send', link, kind, body])
  }
  protected setTimer(timer: number, delay: number): void {
    this.pages.push(['set', timer, delay])
  }
  protected clearTimer(timer: number): void {
    this.pages.push(['clear', timer])
  }
  protected changed(what: OutcomeChange, before: Status): void {
    this.pages.push([what, before])
  }
  peer(): number {
    return 0
  }
  choose(): number {
    return 0
  }
  chance(): boolean {
    return false
  }
  random(): number {
    return 0
  }
  pick(): number {
    return left
  }
  moment(): number {
    return 0
  }

  begin(): void {
    this.wake()
  }
  rise(): void {
    this.recoverNode()
  }
  get(kind: number, body: AnyBody = {}): void {
    this.receive(this.my, kind, body)
  }
  goOff(): void {
    this.fireTimer(0)
  }
}

describe('waking', () => {
  it('by itself starts the node', () => {
    const net = new Diary(false)
    net.begin()
    expect(net.my).toMatchObject({ status: 'unknown', started: 1, heard: 0 })
  })

  it('after its death does what the algorithm says for that, or else starts the node', () => {
    const net = new Diary(false)
    net.rise()
    expect(net.my).toMatchObject({ status: 'unknown', started: 0, recovered: 1 })
    const plain = { name: 'plain', needs: { topology: 'ring' }, messages: {}, state: {} } as const
    const { recover, start } = algorithm({ ...plain, wakes: false, start() {}, on: {}, theory })
    expect(recover).toBe(start)
  })

  it('by a message starts it first where the algorithm says so', () => {
    const net = new Diary(true)
    net.get(0, { number: 3 })
    net.get(0, { number: 4 })
    expect(net.my).toMatchObject({ status: 'unknown', started: 1, heard: 7 })
  })

  it('by a message does not start it where the algorithm does not', () => {
    const net = new Diary(false)
    net.get(0, { number: 3 })
    expect(net.my).toMatchObject({ status: 'unknown', started: 0, heard: 3 })
  })
})

describe('handling', () => {
  it('finds the handler of every kind', () => {
    const net = new Diary(false)
    net.get(2)
    net.get(0, { number: 1 })
    net.get(2)
    net.goOff()
    expect(net.my).toMatchObject({ heard: 1, thirds: 2, rung: 1 })
  })

  it('is over once the node has stopped', () => {
    const net = new Diary(false)
    net.get(1)
    expect(net.my.stopped).toBe(true)
    for (const kind of [0, 1, 2]) net.get(kind, { number: 1 })
    expect(net.my).toMatchObject({ heard: 0, thirds: 0 })
    expect(net.pages).toEqual([['stop', 'unknown']])
  })
})

describe('the net', () => {
  let net: Diary
  beforeEach(() => {
    net = new Diary(false)
  })

  it('sends over one link, all links, or all but the one a message came from', () => {
    net.send(right, HELLO, { number: 1 })
    net.sendAll(HELLO, { number: 2 })
    net.from = left
    net.sendOthers(HELLO, { number: 3 })
    expect(net.pages).toEqual([
      ['send', right, 0, { number: 1 }],
      ['send', left, 0, { number: 2 }],
      ['send', right, 0, { number: 2 }],
      ['send', right, 0, { number: 3 }],
    ])
  })

  it('knows the way onward', () => {
    net.from = left
    expect(net.onward).toBe(right)
    net.from = right
    expect(net.onward).toBe(left)
  })

  it('sets and clears timers, and refuses delays that are none', () => {
    net.after(0, TIMER)
    net.after(2.5, TIMER)
    net.cancel(TIMER)
    expect(net.pages).toEqual([
      ['set', 0, 0],
      ['set', 0, 2.5],
      ['clear', 0],
    ])
    for (const delay of [-1, Number.NaN]) {
      expect(() => net.after(delay, TIMER)).toThrow('sample: net.after needs a delay of 0 or more')
    }
  })

  it('sets no timer for a node that has stopped', () => {
    net.stop()
    net.after(1, TIMER)
    expect(net.pages).toEqual([['stop', 'asleep']])
  })

  it('refuses messages and timers that are not listed, and links that the node has not', () => {
    expect(() => net.send(left, STRANGE, {})).toThrow('sample: net.send')
    for (const link of [-1, 2, 0.5, Number.NaN])
      expect(() => net.send(link, HELLO, { number: 1 })).toThrow(
        `sample: position 0 sends over link ${link}, but its links are 0 to 1`,
      )
    expect(() => net.after(1, OTHER_TIMER)).toThrow('sample: net.after')
    expect(() => net.cancel(OTHER_TIMER)).toThrow('sample: net.cancel')
    expect(net.pages).toEqual([])
  })

  it('tells each change of the outcome once', () => {
    net.lead()
    net.lead()
    expect(net.my).toMatchObject({ status: 'leader', leader: 5, stopped: false })
    net.follow(7)
    net.follow(7)
    net.follow(8)
    expect(net.my).toMatchObject({ status: 'lost', leader: 8 })
    net.stop()
    net.stop()
    expect(net.pages).toEqual([
      ['lead', 'asleep'],
      ['follow', 'leader'],
      ['follow', 'lost'],
      ['stop', 'lost'],
    ])
  })

  it('an anonymous leader has no name', () => {
    const { id: _, ...anonymous } = net.my
    const nameless = new Diary(false, anonymous as State)
    nameless.lead()
    expect(nameless.my.leader).toBeNull()
  })
})
