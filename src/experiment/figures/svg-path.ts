/*
 * Paths of SVG as operators of PDF: both know lines and cubic curves; quadratic curves and arcs are
 * turned into cubic ones.
 */

/** The number of numbers that a command takes. */
const TAKES: Readonly<Record<string, number>> = {
  ...{ M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 },
}
const TOKENS = /([A-Za-z])|(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/g

export function pathOperators(d: string): string {
  const tokens = Array.from(d.matchAll(TOKENS), ([token]) => token)
  const path = new PathWriter()
  let command = ''
  for (let at = 0; at < tokens.length; ) {
    if (/[A-Za-z]/.test(tokens[at])) command = tokens[at++]
    // More numbers after a move are lines.
    const kind = command.toUpperCase()
    const count = TAKES[kind]
    if (count === undefined) return path.operators.join(' ')
    const numbers = tokens.slice(at, at + count).map(Number)
    at += count
    path.add(kind, numbers, command !== kind)
    if (kind === 'M') command = command === 'M' ? 'L' : 'l'
    if (count === 0 && at < tokens.length && !/[A-Za-z]/.test(tokens[at])) break
  }
  return path.operators.join(' ')
}

class PathWriter {
  readonly operators: string[] = []
  private x = 0
  private y = 0
  private startX = 0
  private startY = 0

  add(kind: string, given: readonly number[], relative: boolean): void {
    const [fromX, fromY] = [this.x, this.y]
    const across = (value: number) => (relative ? fromX + value : value)
    const down = (value: number) => (relative ? fromY + value : value)
    const pairs = given.map((value, i) => (i % 2 === 0 ? across(value) : down(value)))
    if (kind === 'M') {
      this.to(pairs[0], pairs[1], 'm')
      ;[this.startX, this.startY] = [this.x, this.y]
    } else if (kind === 'L' || kind === 'T') this.to(pairs[0], pairs[1], 'l')
    else if (kind === 'H') this.to(across(given[0]), fromY, 'l')
    else if (kind === 'V') this.to(fromX, down(given[0]), 'l')
    else if (kind === 'C') this.curve(pairs)
    else if (kind === 'S') this.curve([fromX, fromY, ...pairs])
    else if (kind === 'Q') {
      const [qx, qy, x, y] = pairs
      const near = (end: number, middle: number) => end + (2 / 3) * (middle - end)
      this.curve([near(fromX, qx), near(fromY, qy), near(x, qx), near(y, qy), x, y])
    } else if (kind === 'A') this.arc(given, across(given[5]), down(given[6]))
    else if (kind === 'Z') {
      this.operators.push('h')
      ;[this.x, this.y] = [this.startX, this.startY]
    }
  }

  private to(x: number, y: number, operator: 'm' | 'l'): void {
    this.operators.push(`${short(x)} ${short(y)} ${operator}`)
    ;[this.x, this.y] = [x, y]
  }

  private curve(points: readonly number[]): void {
    this.operators.push(`${points.map(short).join(' ')} c`)
    ;[this.x, this.y] = points.slice(-2)
  }

  /** From the end points to the centre (SVG 1.1, F.6.5), then one curve per quarter. */
  private arc([rx, ry, turn, large, sweep]: readonly number[], x: number, y: number): void {
    const { x: x0, y: y0 } = this
    if (rx === 0 || ry === 0 || (x === x0 && y === y0)) {
      this.to(x, y, 'l')
      return
    }
    const [cosine, sine] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
    const [halfX, halfY] = [(x0 - x) / 2, (y0 - y) / 2]
    const [px, py] = [cosine * halfX + sine * halfY, cosine * halfY - sine * halfX]
    const grown = Math.max(1, Math.sqrt((px / rx) ** 2 + (py / ry) ** 2))
    const [a, b] = [Math.abs(rx) * grown, Math.abs(ry) * grown]
    const rest = Math.max(0, (a * b) ** 2 / ((a * py) ** 2 + (b * px) ** 2) - 1)
    const side = (large === sweep ? -1 : 1) * Math.sqrt(rest)
    const [cx, cy] = [(side * a * py) / b, (-side * b * px) / a]
    const centreX = cosine * cx - sine * cy + (x0 + x) / 2
    const centreY = sine * cx + cosine * cy + (y0 + y) / 2
    const first = Math.atan2((py - cy) / b, (px - cx) / a)
    let span = Math.atan2((-py - cy) / b, (-px - cx) / a) - first
    if (sweep === 1 && span < 0) span += 2 * Math.PI
    if (sweep === 0 && span > 0) span -= 2 * Math.PI
    const pieces = Math.ceil(Math.abs(span) / (Math.PI / 2) - 1e-9)
    const step = span / pieces
    const pull = (4 / 3) * Math.tan(step / 4)
    const placed = (u: number, v: number) => [
      centreX + cosine * a * u - sine * b * v,
      centreY + sine * a * u + cosine * b * v,
    ]
    for (let i = 0; i < pieces; i++) {
      const [t0, t1] = [first + i * step, first + (i + 1) * step]
      const [c0, s0, c1, s1] = [Math.cos(t0), Math.sin(t0), Math.cos(t1), Math.sin(t1)]
      this.curve([
        ...placed(c0 - pull * s0, s0 + pull * c0),
        ...placed(c1 + pull * s1, s1 - pull * c1),
        ...placed(c1, s1),
      ])
    }
  }
}

function short(value: number): number {
  return Math.round(value * 1000) / 1000 || 0
}
