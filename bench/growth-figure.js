/** The figure of bench/growth.js: speed and memory per node against n, both axes logarithmic. */
const [WIDTH, HEIGHT, LEFT, TOP, ACROSS, DOWN] = [860, 376, 64, 44, 320, 240]
const COLOURS = ['#0072b2', '#d55e00', '#009e73']
const PEER = '#666666'
const LINE = 15
const STYLE = 'font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" fill="#222222"'

export function growthFigure(rows, peers) {
  const speed = { title: 'M messages per CPU-second', decades: [-1, 2], of: 'speed' }
  const memory = { title: 'bytes per node', decades: [1, 4], of: 'perNode' }
  const large = rows.filter(({ n }) => n >= 1e5)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ${STYLE}>`,
    `<title>Speed and memory of runs with up to 10^8 nodes</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    panel(LEFT, speed, rows, peers.speed),
    panel(LEFT + WIDTH / 2, memory, large, peers.memory),
    legend([...new Set(rows.map(({ name }) => name))]),
    '</svg>\n',
  ].join('\n')
}

function panel(left, { title, decades: [low, high], of }, rows, peers) {
  const x = (n) => left + ((Math.log10(n) - 3) / 5) * ACROSS
  const y = (value) => {
    const share = (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)
    return TOP + DOWN - Math.min(1, share) * DOWN
  }
  const lines = [`<text x="${left}" y="${TOP - 18}" font-weight="bold">${title}</text>`]
  for (let power = low; power <= high; power++) {
    const at = y(10 ** power)
    lines.push(
      `<line x1="${left}" x2="${left + ACROSS}" y1="${at}" y2="${at}" stroke="#dddddd"/>`,
      `<text x="${left - 8}" y="${at + 4}" text-anchor="end">${label(10 ** power)}</text>`,
    )
  }
  for (let power = 3; power <= 8; power++) lines.push(powerOfTen(x(10 ** power), power))
  const middle = left + ACROSS / 2
  lines.push(`<text x="${middle}" y="${TOP + DOWN + 42}" text-anchor="middle">nodes</text>`)
  for (const [i, name] of [...new Set(rows.map((row) => row.name))].entries()) {
    const points = rows.filter((row) => row.name === name).map((row) => [x(row.n), y(row[of])])
    const colour = COLOURS[i]
    const path = points.map((point) => point.map(fixed).join()).join(' ')
    lines.push(
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(
        ([a, b]) => `<circle cx="${fixed(a)}" cy="${fixed(b)}" r="3" fill="${colour}"/>`,
      ),
    )
  }
  const marks = peers.map(({ name, n, value }) => ({ name, at: x(n), height: y(value) }))
  const heights = spread(marks.map(({ height }) => height))
  for (const [i, { name, at, height }] of marks.entries())
    lines.push(
      `<circle cx="${at}" cy="${fixed(height)}" r="4" fill="none" stroke="${PEER}" stroke-width="2"/>`,
      `<text x="${at + 12}" y="${fixed(heights[i] + 4)}" fill="${PEER}">${name}</text>`,
    )
  return lines.join('\n')
}

function legend(names) {
  const marks = names.map((name, i) => ({ name, mark: `fill="${COLOURS[i]}"` }))
  const others = { name: 'others', mark: `fill="none" stroke="${PEER}" stroke-width="2"` }
  return [...marks, others]
    .map(({ name, mark }, i) => {
      const [x, y] = [LEFT + 180 * i, HEIGHT - 16]
      const dot = `<circle cx="${x + 4}" cy="${y - 4}" r="4" ${mark}/>`
      return `${dot}<text x="${x + 16}" y="${y}">${name}</text>`
    })
    .join('\n')
}

/** Heights of labels, given from above to below, that do not overlap. */
function spread(heights) {
  const apart = []
  for (const height of heights) apart.push(Math.max(height, (apart.at(-1) ?? 0) + LINE))
  return apart
}

function powerOfTen(at, power) {
  const raised = `<tspan dy="-5" font-size="9">${power}</tspan>`
  return `<text x="${at}" y="${TOP + DOWN + 20}" text-anchor="middle">10${raised}</text>`
}

function label(value) {
  return value < 1 ? String(value) : value.toLocaleString('en-US')
}

function fixed(number) {
  return number.toFixed(1)
}
