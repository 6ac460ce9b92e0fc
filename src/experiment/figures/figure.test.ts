import fc from 'fast-check'
import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { textWidth } from '../../diagram/svg.ts'
import { fitForm } from '../statistics/fit.ts'
import { readForm } from '../statistics/form-text.ts'
import { drawFigure, type FigureSpec } from './figure.ts'
import { pushedApart } from './figure-labels.ts'
import { curveOf } from './figures.ts'
import { scaleFor } from './scales.ts'

const SIZES = [8, 16, 32, 64, 128, 256, 512, 1024]

function figure(more: Partial<FigureSpec> = {}): FigureSpec {
  const means = (f: (n: number) => number) =>
    SIZES.map((x) => ({ x, y: f(x), low: f(x) * 0.9, high: f(x) * 1.1 }))
  return {
    title: 'LCR: messages <at worst> & on average',
    subtitle: '20 rings of each size',
    x: { label: 'n (nodes)', log: true },
    y: { label: 'messages', log: true },
    series: [
      { name: 'worst', means: means((n) => (n * (n + 1)) / 2) },
      { name: 'average', means: means((n) => n * Math.log(n)), runs: [{ x: 8, y: 20 }] },
    ],
    bounds: [{ label: 'proven: n(n+1)/2', points: means((n) => (n * (n + 1)) / 2) }],
    footer: 'conclave experiment lcr --sweep n=8..1024 · conclave 0.1.0 · seed 1',
    ...more,
  }
}

/** Every text with its box, moved by the groups that it lies in. */
function textsOf(svg: string) {
  const { document } = parseHTML(`<!doctype html><html><body>${svg}</body></html>`)
  return [...document.querySelectorAll('text')].map((text) => {
    const [x0, y0] = ['x', 'y'].map((name) => text.getAttribute(name) ?? '0')
    let [x, y, size, anchor] = [Number(x0), 0, 0, '']
    let bold = false
    for (let at = text; at !== null && at.tagName !== 'BODY'; at = at.parentElement) {
      const [, dx = 0, dy = 0] =
        /translate\(([-.\d]+),([-.\d]+)\)/.exec(at.getAttribute('transform') ?? '') ?? []
      x += Number(dx)
      y += Number(dy)
      size ||= Number(at.getAttribute('font-size') ?? 0)
      anchor ||= at.getAttribute('text-anchor') ?? ''
      bold ||= at.getAttribute('font-weight') === 'bold'
    }
    const words = text.textContent
    const width = textWidth(words, size, bold) * 0.9
    const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x
    const baseline = y + (y0.endsWith('em') ? Number.parseFloat(y0) * size : Number(y0))
    const top = baseline - size * 0.75
    return { words, left, right: left + width, top, bottom: top + size * 0.9, size }
  })
}

/** Pairs of texts that lie over each other, and texts that leave the picture. */
function faultsOf(svg: string): string[] {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number)
  const texts = textsOf(svg)
  const cut = texts.filter((a) => a.left < 0 || a.right > width || a.top < 0 || a.bottom > height)
  const over = texts.flatMap((a, i) =>
    texts
      .slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.words} over ${b.words}`),
  )
  return [...cut.map(({ words }) => `${words} is cut`), ...over]
}

describe('a figure', () => {
  it('shows title, axes, names, bounds and origin, escaped', () => {
    const svg = drawFigure(figure())
    const words = textsOf(svg).map((text) => text.words)
    const { title, subtitle, footer } = figure()
    const expected = [title, subtitle, footer, 'n (nodes)', 'messages', 'worst', 'average', '1,024']
    for (const text of [...expected, 'proven: n(n+1)/2']) expect(words).toContain(text)
    expect(svg).toContain('&lt;at worst&gt; &amp;')
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(2)
    expect(faultsOf(svg)).toEqual([])
  })

  it('has the same bytes each time, and others in the dark theme', () => {
    expect(drawFigure(figure())).toBe(drawFigure(figure()))
    expect(drawFigure(figure({ theme: 'dark' }))).not.toContain('#ffffff')
    expect(drawFigure(figure({ theme: 'dark' }))).not.toBe(drawFigure(figure()))
  })

  it('puts points where the axes say', () => {
    const svg = drawFigure(
      figure({
        x: { label: 'x' },
        y: { label: 'y' },
        series: [{ name: 'a', means: [0, 5, 10].map((x) => ({ x, y: x, low: null, high: null })) }],
        bounds: [],
      }),
    )
    const texts = textsOf(svg)
    const middle = (words: string, side: 'x' | 'y') => {
      const all = texts.filter((text) => text.words === words)
      const one =
        side === 'x'
          ? all.reduce((a, b) => (b.top > a.top ? b : a))
          : all.reduce((a, b) => (b.left < a.left ? b : a))
      return side === 'x' ? (one.left + one.right) / 2 : (one.top + one.bottom) / 2
    }
    const line =
      /aria-label="line"[\s\S]*?d="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)L([\d.]+),([\d.]+)"/.exec(
        svg,
      )!
    const [x0, y0, x5, y5, x10, y10] = line.slice(1).map(Number)
    expect(Math.abs(x0 - middle('0', 'x'))).toBeLessThan(1)
    expect(Math.abs(x10 - middle('10', 'x'))).toBeLessThan(1)
    expect(Math.abs(y0 - middle('0', 'y'))).toBeLessThan(5)
    expect(Math.abs(y10 - middle('10', 'y'))).toBeLessThan(5)
    expect(x5).toBeCloseTo((x0 + x10) / 2, 0)
    expect(y5).toBeCloseTo((y0 + y10) / 2, 0)
  })

  it('has no overlapping or clipped text, with up to 12 series of any numbers', () => {
    const number = fc.oneof(
      fc.double({ min: -10, max: 1e9, noNaN: true }),
      fc.integer({ min: 0, max: 100 }),
      fc.double({ min: 1e-12, max: 1, noNaN: true }),
    )
    const point = fc.record({
      x: number,
      y: number,
      low: fc.constant(null),
      high: fc.constant(null),
    })
    const name = fc.constantFrom(
      'lcr',
      'hirschberg-sinclair-one-way',
      'a name that is rather long and must be broken into lines',
    )
    const series = fc.record({ name, means: fc.array(point, { maxLength: 6 }) })
    const words = fc.constantFrom('Messages', 'Messages of all algorithms '.repeat(6), '')
    const any = fc.record({
      title: words,
      subtitle: words,
      x: fc.record({ label: fc.constant('n (nodes)'), log: fc.boolean() }),
      y: fc.record({ label: fc.constant('messages'), log: fc.boolean() }),
      series: fc.array(series, { maxLength: 12 }),
      footer: fc.constantFrom('conclave run', `conclave ${'/a/path'.repeat(60)}`),
    })
    fc.assert(
      fc.property(any, (drawn) => {
        const svg = drawFigure(drawn)
        expect(faultsOf(svg)).toEqual([])
        expect(svg).not.toMatch(/NaN|Infinity|undefined/)
      }),
      { numRuns: 40 },
    )
  })

  it('draws every mean, and leaves out what a logarithmic axis cannot show', () => {
    const means = [0, 1, 10, 100].map((y, x) => ({ x, y, low: y - 5, high: y + 5 }))
    const draw = (log: boolean) =>
      drawFigure(
        figure({
          x: { label: 'x' },
          y: { label: 'y', log },
          series: [{ name: 'a', means }],
          bounds: [],
        }),
      )
    const marks = (svg: string) => svg.match(/<circle[^>]* r="6"/g)?.length ?? 0
    expect(marks(draw(false))).toBe(4 + 1)
    expect(marks(draw(true))).toBe(3 + 1)
  })
})

describe('a figure of a table with missing values', () => {
  const cell = fc.oneof(
    { weight: 3, arbitrary: fc.double({ min: 0.5, max: 1e6, noNaN: true }) },
    fc.constant(Number.NaN),
    fc.constant(0),
    fc.double({ min: -10, max: -1, noNaN: true }),
  )
  const table = fc.record({
    values: fc.array(cell, { minLength: 2, maxLength: 12 }),
    log: fc.boolean(),
  })

  it('draws no line across a gap, and counts what it leaves out', () => {
    fc.assert(
      fc.property(table, ({ values, log }) => {
        const means = values.map((y, i) => ({ x: 2 ** i, y, low: null, high: null }))
        const y = { label: 'y', log }
        const svg = drawFigure(figure({ y, series: [{ name: 'a', means }], bounds: [] }))
        const shown = values.map((value) => !Number.isNaN(value) && (!log || value > 0))
        const joined = shown.filter((is, i) => is && shown[i + 1]).length
        const path = /aria-label="line"[^>]*><path[^>]* d="([^"]*)"/.exec(svg)?.[1] ?? ''
        expect(path.match(/L/g)?.length ?? 0).toBe(joined)
        expect(svg.match(/<circle[^>]* r="6"/g)?.length).toBe(shown.filter(Boolean).length + 1)
        const missing = values.filter(Number.isNaN).length
        const left = values.length - missing - shown.filter(Boolean).length
        const words = textsOf(svg).map((text) => text.words)
        const said = (pattern: RegExp) => Number(words.join('\n').match(pattern)?.[1] ?? 0)
        expect(said(/(\d+) points? without any value/)).toBe(missing)
        expect(said(/(\d+) points? left out/)).toBe(left)
      }),
      { numRuns: 60 },
    )
  })

  it('marks means over fewer runs than there are with hollow marks, and says so', () => {
    const means = [1, 2, 3].map((x) => ({ x, y: x, low: null, high: null, partial: x > 1 }))
    const svg = drawFigure(figure({ series: [{ name: 'a', means }], bounds: [] }))
    expect(svg.match(/<circle[^>]* r="6"/g)).toHaveLength(4)
    expect(svg.match(/<g[^>]*stroke-width="2"[^>]*>(<circle[^>]*>){2}<\/g>/g)).toHaveLength(1)
    expect(textsOf(svg).some(({ words }) => words.startsWith('Hollow marks'))).toBe(true)
  })
})

describe('a curve', () => {
  it.each([[[1, 10, 100]], [[0, 3, 5, 9]]])('covers the range of %j and follows the fit', (xs) => {
    const found = fitForm(
      readForm('n'),
      xs.map((x) => ({ x, y: 3 * x - 1 })),
    )
    const { label, points } = curveOf(found, xs)
    expect(label).toBe('fit: 3 n - 1')
    expect([points[0].x, points.at(-1)!.x]).toEqual([xs[0], xs.at(-1)])
    for (const { x, y } of points) expect(y).toBeCloseTo(3 * x - 1, 9)
  })
})

describe('labels', () => {
  it('do not overlap, stay in order and inside, and move only if necessary', () => {
    const wish = fc.record({
      y: fc.integer({ min: -50, max: 550 }),
      height: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 12 }), (wishes) => {
        const middles = pushedApart(wishes, 0, 500)
        const boxes = wishes
          .map(({ y, height }, i) => ({
            y,
            top: middles[i] - height / 2,
            bottom: middles[i] + height / 2,
          }))
          .sort((a, b) => a.top - b.top)
        for (const [i, box] of boxes.entries()) {
          expect(box.top).toBeGreaterThanOrEqual(-1e-9)
          expect(box.bottom).toBeLessThanOrEqual(500 + 1e-9)
          if (i > 0) expect(box.top).toBeGreaterThanOrEqual(boxes[i - 1].bottom - 1e-9)
          if (i > 0) expect(box.y).toBeGreaterThanOrEqual(boxes[i - 1].y)
        }
      }),
    )
    expect(
      pushedApart(
        [
          { y: 100, height: 20 },
          { y: 50, height: 20 },
        ],
        0,
        500,
      ),
    ).toEqual([100, 50])
    expect(
      pushedApart(
        [
          { y: 100, height: 20 },
          { y: 100, height: 20 },
        ],
        0,
        500,
      ),
    ).toEqual([90, 110])
  })
})

describe('a figure for a paper', () => {
  const bare = { bare: true, size: { width: 800, height: 500 } }

  it('has the size that is asked for, and neither title nor footer', () => {
    const svg = drawFigure(figure(bare))
    expect(svg).toMatch(/^<svg [^>]*width="800" height="500"/)
    const shown = textsOf(svg).map(({ words }) => words)
    expect(shown.filter((text) => /LCR|rings|conclave/.test(text))).toEqual([])
    expect(shown).toEqual(expect.arrayContaining(['n (nodes)', 'messages', 'worst', 'average']))
    expect(faultsOf(svg)).toEqual([])
  })

  it('does not begin below 0 where only a fit or an interval does', () => {
    const means = [2, 50, 100].map((x) => ({ x, y: 6 * x, low: 6 * x - 40, high: 6 * x + 40 }))
    const curve = { label: 'fit', points: means.map(({ x }) => ({ x, y: 6 * x - 80 })) }
    const spec = { x: { label: 'n' }, y: { label: 'messages' }, bounds: [] }
    const texts = textsOf(drawFigure(figure({ ...spec, series: [{ name: 'a', means, curve }] })))
    expect(texts.filter(({ words }) => words.startsWith('-'))).toEqual([])
    const below = means.map((mean) => ({ ...mean, y: mean.y - 100 }))
    const negative = drawFigure(figure({ ...spec, series: [{ name: 'a', means: below }] }))
    expect(textsOf(negative).some(({ words }) => words.startsWith('-'))).toBe(true)
  })

  it('tears no word of the command below it', () => {
    const names = ['hirschberg-sinclair', 'itai-rodeh', 'peterson', 'franklin', 'chang-roberts']
    const list = Array.from({ length: 12 }, (_, i) => names[i % names.length])
    const svg = drawFigure(figure({ footer: `conclave experiment --sweep algorithm=${list}` }))
    const footer = textsOf(svg).filter(({ size }) => size === 13)
    expect(footer.length).toBeGreaterThan(1)
    for (const { words } of footer) {
      const pieces = words.split(/[,=\s]+/).filter(Boolean)
      expect(names).toEqual(
        expect.arrayContaining(
          pieces.filter((piece: string) => !/^(conclave|exp|--|alg)/.test(piece)),
        ),
      )
    }
  })
})

describe('an axis', () => {
  const room = { length: 500, extent: () => 34 }

  it('has ticks that a reader expects', () => {
    expect(scaleFor([3, 97], false, room).ticks).toEqual([
      0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100,
    ])
    expect(scaleFor(SIZES, true, room).ticks).toEqual(SIZES)
    expect(scaleFor([2, 3, 100], true, room).ticks).toEqual([2, 5, 10, 20, 50, 100])
    const wide = scaleFor([15, 5e5], true, room)
    expect(wide.ticks.map(wide.write)).toEqual(['100', '1,000', '10,000', '100,000'])
    const tiny = scaleFor([1e-16, 0.1], true, room)
    expect(tiny.ticks.map(tiny.write)).toContain('10⁻⁸')
    const large = scaleFor([0, 3e6], false, room)
    expect(large.ticks.map(large.write).slice(0, 3)).toEqual(['0', '5·10⁵', '10⁶'])
  })

  it.each<[string, number[]]>([
    ['a billion and a few', [1e9 + 1, 1e9 + 60]],
    ['one value', [7]],
    ['one small negative value', [-0.004]],
    ['zero', [0, 0]],
    ['between two ticks', [5.1, 5.3]],
    ['within rounding', [1, 1 + 1e-12]],
  ])('has two ticks at least that look different: %s', (_, values) => {
    for (const log of [false, true]) {
      const { ticks, write, domain } = scaleFor(values, log, room)
      expect(new Set(ticks.map(write)).size).toBe(ticks.length)
      expect(ticks.length).toBeGreaterThan(1)
      for (const tick of ticks) expect(tick >= domain[0] && tick <= domain[1]).toBe(true)
    }
  })

  it('has them for any range, however narrow', () => {
    const start = fc.double({ min: -1e9, max: 1e9, noNaN: true })
    const width = fc.integer({ min: -12, max: 3 }).map((power) => 10 ** power)
    fc.assert(
      fc.property(start, width, fc.boolean(), (from, part, log) => {
        const { ticks, write } = scaleFor([from, from + part * Math.abs(from)], log, room)
        expect(ticks.length).toBeGreaterThan(1)
        expect(new Set(ticks.map(write)).size).toBe(ticks.length)
      }),
      { numRuns: 500 },
    )
  })

  it('has them around a constant and its fit, which differ by rounding', () => {
    const { ticks, write } = scaleFor([42, 42 * (1 + 1e-15)], true, room)
    expect(ticks.map(write)).toEqual(['30', '40', '50', '60', '70', '80'])
  })

  it('covers all values, with ascending ticks inside that do not overlap', () => {
    const values = fc.array(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(values, fc.boolean(), (shown, log) => {
        const { domain, ticks } = scaleFor(shown, log, room)
        expect(Math.min(...shown)).toBeGreaterThanOrEqual(domain[0] * (1 - 1e-9))
        expect(Math.max(...shown)).toBeLessThanOrEqual(domain[1] * (1 + 1e-9))
        expect(ticks).toEqual([...new Set(ticks)].toSorted((a, b) => a - b))
        expect(ticks.length).toBeLessThanOrEqual(16)
        expect(ticks.length).toBeGreaterThan(1)
      }),
    )
  })
})
