import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import { spaceTime } from './space-time.ts'

type About = Parameters<typeof spaceTime>[1]

const RING = [3, 2, 7, 8, 5, 4, 1, 6]

/** LCR in closed form: an id travels until it meets a larger one; the largest goes round twice. */
function election(ids: readonly number[]): TraceEvent[] {
  const n = ids.length
  const events: TraceEvent[] = ids.map((_, node) => ({ at: 1, node, event: 'wake' }))
  let message = 0
  const hop = (at: number, node: number, type: string, id: number) => {
    const to = (node + 1) % n
    const shared = { message: message++, type, body: { id } }
    events.push({ at, node, event: 'send', to, link: 0, ...shared })
    events.push({ at: at + 1, node: to, event: 'receive', from: node, link: 1, ...shared })
    return to
  }
  ids.forEach((id, start) => {
    for (let to = start, at = 1; to !== start || at === 1; at++) {
      to = hop(at, to, 'election', id)
      if (ids[to] > id) break
    }
  })
  const leader = ids.indexOf(Math.max(...ids))
  events.push({ at: n + 1, node: leader, event: 'lead' })
  for (let node = leader, at = n + 1; at <= 2 * n; at++) {
    node = hop(at, node, 'leader', ids[leader])
    if (node !== leader) events.push({ at: at + 1, node, event: 'follow', leader: ids[leader] })
    events.push({ at: at + 1, node, event: 'stop' })
  }
  return events.sort((a, b) => a.at - b.at)
}

interface Element {
  readonly name: string
  readonly attributes: Record<string, string>
  readonly children: Element[]
  text: string
}

/** Reads XML, or throws where it is not well-formed. Enough of it for what we write. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const token = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>|([^<]+)/gy
  let end = 0
  for (const [all, closing, name, attributes, empty, text] of xml.matchAll(token)) {
    end += all.length
    if (/&(?!(?:amp|lt|gt|quot);)/.test(all)) throw new Error(`a bare ampersand in ${all}`)
    const current = open[open.length - 1]
    if (text !== undefined) current.text += text
    else if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`)
    } else {
      const matches = [...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)]
      const pairs = matches.map(([, key, value]) => [key, value])
      const element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' }
      if (Object.keys(element.attributes).length < pairs.length) throw new Error(`twice in ${all}`)
      current.children.push(element)
      if (!empty) open.push(element)
    }
  }
  if (end !== xml.length) throw new Error(`stuck at ${xml.slice(end, end + 40)}`)
  if (open.length !== 1 || root.children.length !== 1) throw new Error('not one element')
  return root.children[0]
}

function all(element: Element, wanted: (element: Element) => boolean): Element[] {
  const inside = element.children.flatMap((child) => all(child, wanted))
  return wanted(element) ? [element, ...inside] : inside
}

const named = (name: string) => (element: Element) => element.name === name
const classed = (name: string) => (element: Element) => element.attributes.class === name

/** Where words are if a letter takes 0.6 of their size on average, as in common fonts. */
function textBoxes(svg: Element) {
  return all(svg, named('text')).map(({ attributes, text }) => {
    const [x, y, size] = ['x', 'y', 'font-size'].map((key) => Number(attributes[key]))
    const width = [...text.replace(/&\w+;/g, '&')].length * size * 0.6
    const anchor = attributes['text-anchor']
    const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x
    return { text, left, right: left + width, top: y - size * 0.75, bottom: y + size * 0.2 }
  })
}

function draw(events: readonly TraceEvent[], about: Partial<About> = {}) {
  const svg = spaceTime(events, { title: 'A run', n: 8, unit: 'round', ...about })
  const picture = parse(svg.trimEnd())
  const legend = all(picture, classed('legend'))
  const plot = { ...picture, children: picture.children.filter((child) => !legend.includes(child)) }
  const texts = textBoxes(picture)
  return { svg, picture, plot, legend: legend[0], texts, words: texts.map(({ text }) => text) }
}

function expectInside({ picture, texts }: ReturnType<typeof draw>): void {
  const [, , width, height] = picture.attributes.viewBox.split(' ').map(Number)
  for (const { text, left, right, top, bottom } of texts) {
    const inside = left >= 0 && right <= width && top >= 0 && bottom <= height
    expect(inside, `"${text}" is inside`).toBe(true)
  }
  for (const { attributes } of all(picture, named('path')))
    for (const [point, x, y] of attributes.d.matchAll(/[ML](\S+) ([^\sA-Za-z]+)/g))
      expect(+x >= 0 && +x <= width && +y >= 0 && +y <= height, `${point} is inside`).toBe(true)
}

function expectApart({ texts }: ReturnType<typeof draw>): void {
  texts.forEach((a, i) => {
    for (const b of texts.slice(i + 1)) {
      const beside = a.right <= b.left || b.right <= a.left
      expect(beside || a.bottom <= b.top || b.bottom <= a.top, `${a.text} / ${b.text}`).toBe(true)
    }
  })
}

describe('an election on a ring of eight', () => {
  const events = election(RING)
  const drawn = draw(events, { ids: RING, ring: true, title: 'LCR', subtitle: 'all start' })

  test('has an arrow for each of its 29 messages', () => {
    expect(all(drawn.plot, classed('message'))).toHaveLength(29)
  })

  test('crowns one leader, once, and thickens its line from then on', () => {
    expect(all(drawn.plot, classed('mark lead'))).toHaveLength(1)
    expect(all(drawn.plot, classed('leader'))).toHaveLength(1)
    expect(drawn.words.filter((word) => word === 'leader')).toHaveLength(1)
  })

  test('names every node, the title and every round up to the last receipt', () => {
    for (const [node, id] of RING.entries()) expect(drawn.words).toContain(`p${node}(${id})`)
    for (const word of ['LCR', 'all start', 'round', '1', '17']) expect(drawn.words).toContain(word)
  })

  test('explains its types and signs, and none that it lacks', () => {
    const words = textBoxes(drawn.legend).map(({ text }) => text)
    expect(words).toEqual([
      'election, with its id',
      'leader, with its id',
      'wakes',
      'becomes leader',
      'follows',
      'stops',
    ])
  })

  test('tells types apart by colour, dashes and heads', () => {
    const signs = all(drawn.legend, classed('type'))
    const [one, other] = signs.map(({ children: [shaft, head] }) => ({
      colour: shaft.attributes.stroke,
      dash: shaft.attributes['stroke-dasharray'],
      filled: head.attributes.fill !== 'none',
    }))
    expect(one.colour).not.toBe(other.colour)
    expect(one.dash).not.toBe(other.dash)
    expect(one.filled).not.toBe(other.filled)
  })

  test('keeps all words inside and apart', () => {
    expectInside(drawn)
    expectApart(drawn)
  })

  test('breaks just the arrows from the last position to the first', () => {
    const around = events.filter((event) => event.event === 'send' && event.to === 0)
    const broken = all(drawn.plot, classed('message')).filter(
      ({ children }) => children[1].attributes.d.match(/M/g)?.length === 2,
    )
    expect(broken).toHaveLength(around.length)
    const straight = draw(events, { ids: RING })
    expect(all(straight.plot, classed('seam'))).toHaveLength(0)
    expect(all(drawn.plot, classed('seam'))).toHaveLength(2)
  })
})

test.each([1, 2, 3, 24])('a ring of %i is drawn whole', (n) => {
  const ids = Array.from({ length: n }, (_, i) => 2 ** 53 - 1 - ((i * 7) % n))
  const events = election(ids)
  const drawn = draw(events, { n, ids, ring: true })
  const sends = events.filter(({ event }) => event === 'send').length
  expect(all(drawn.plot, classed('message'))).toHaveLength(sends)
  expect(all(drawn.plot, classed('mark lead'))).toHaveLength(1)
  expectInside(drawn)
  expectApart(drawn)
})

const body = { id: 4 }
const wake = (at: number, node: number): TraceEvent => ({ at, node, event: 'wake' })
const send = (at: number, node: number, to: number, message: number): TraceEvent => ({
  at,
  node,
  event: 'send',
  to,
  message,
  type: 'token',
  link: 0,
  body,
})
const arrival = (event: 'receive' | 'vanish', at: number, node: number, message: number) =>
  ({ at, node, event, from: 0, message, type: 'token', link: 1, body }) as TraceEvent

test('a crash ends the line, and a message to the crashed node ends in a cross', () => {
  const crash: TraceEvent = { at: 0.5, node: 1, event: 'crash' }
  const events = [wake(0, 0), wake(0, 1), send(0, 0, 1, 0), crash, arrival('vanish', 1.25, 1, 0)]
  const drawn = draw(events, { n: 2, unit: 'time' })
  expect(all(drawn.plot, classed('mark crash'))).toHaveLength(1)
  const [alive, dead] = all(drawn.plot, classed('awake')).map(({ children: [line] }) =>
    Number(/L(\S+)/.exec(line.attributes.d)![1]),
  )
  expect(dead).toBeLessThan(alive)
  const [message] = all(drawn.plot, classed('message'))
  expect(message.children[2].attributes.d.match(/M/g)).toHaveLength(2)
  expect(drawn.words).toContain('message is lost')
})

test('a message that never arrives is drawn as a stub', () => {
  const drawn = draw([wake(1, 0), send(1, 0, 1, 0)], { n: 2 })
  expect(all(drawn.plot, classed('message'))).toHaveLength(1)
  expect(drawn.words).toContain('still in flight')
  expectInside(drawn)
})

test('messages that coincide are drawn side by side', () => {
  const events = [send(1, 0, 1, 0), send(1, 0, 1, 1)]
  const arrivals = [0, 1].map((message) => arrival('receive', 2, 1, message))
  const shafts = all(draw([...events, ...arrivals], { n: 2 }).plot, classed('message')).map(
    ({ children }) => children[1].attributes.d,
  )
  expect(new Set(shafts).size).toBe(2)
})

test('a silence of a billion rounds takes no more room than one of a thousand', () => {
  const run = (late: number) =>
    draw([wake(1, 0), send(late, 0, 1, 0), arrival('receive', late + 1, 1, 0)], { n: 2 })
  const [short, long] = [run(1001), run(1_000_000_001)]
  for (const drawn of [short, long]) expect(all(drawn.plot, classed('break'))).toHaveLength(1)
  expect(long.words).toContain('1,000,000,001')
  const [narrow, wide] = [short, long].map(({ picture }) => Number(picture.attributes.width))
  expect(wide).toBeLessThan(narrow + 100)
  expectApart(long)
  expect(all(run(5).plot, classed('break'))).toHaveLength(0)
})

test('a huge run is cut at 2,000 messages and 100 positions, and the subtitle says so', () => {
  const many = Array.from({ length: 3000 }, (_, i) => send(1, i % 90, (i % 90) + 1, i))
  const late = many.map((_, i) => arrival('receive', 2, (i % 90) + 1, i))
  const drawn = draw([...many, ...late], { n: 1_000_000 })
  expect(all(drawn.plot, classed('message'))).toHaveLength(2000)
  expect(drawn.words).not.toContain('still in flight')
  const said = 'Drawn: positions 0 to 99 of 1,000,000, the first 2,000 of 3,000 messages.'
  expect(drawn.words.join(' ')).toContain(said)
  expect(drawn.svg.length).toBeLessThan(1_000_000)
})

test('long titles are wrapped, a longer word widens the picture, nothing breaks the markup', () => {
  expectInside(draw([], { title: '<a & "b"> '.repeat(60), subtitle: 'M'.repeat(150) }))
})

test('any record at all gives a well-formed picture with all messages and all leaders', () => {
  const node = fc.nat({ max: 5 })
  const time = fc.oneof(fc.nat({ max: 12 }), fc.double({ min: 0, max: 1e6, noNaN: true }))
  const event = fc.constantFrom('wake', 'lead', 'stop', 'crash')
  const marks = fc.array(fc.record({ at: time, node, event }))
  const hops = fc.array(
    fc.record({
      from: node,
      hop: fc.integer({ min: 1, max: 5 }),
      at: time,
      takes: fc.option(fc.double({ min: 1e-6, max: 50, noNaN: true })),
      type: fc.constantFrom('probe', 'reply', '<&>"'),
      lost: fc.boolean(),
      link: fc.constantFrom(0, 1),
    }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(marks, hops, fc.boolean(), (marks, hops, ring) => {
      const events = [...marks] as TraceEvent[]
      hops.forEach(({ from, hop, at, takes, type, lost, link }, message) => {
        const to = (from + hop) % 6
        events.push({ at, node: from, event: 'send', to, message, type, link, body })
        const event = lost ? 'vanish' : 'receive'
        const landing = { node: to, event, from, message, type, link, body } as const
        if (takes !== null) events.push({ at: at + takes, ...landing })
      })
      events.sort((a, b) => a.at - b.at)
      const drawn = draw(events, { n: 6, unit: 'time', ring })
      expect(all(drawn.plot, classed('message'))).toHaveLength(hops.length)
      const leads = marks.filter(({ event }) => event === 'lead').length
      expect(all(drawn.plot, classed('mark lead'))).toHaveLength(leads)
      expect(drawn.svg).not.toMatch(/NaN|Infinity|undefined/)
      expectInside(drawn)
    }),
    { numRuns: campaign(800) },
  )
})
