/** The figure of bench/growth.js: speed and memory per node against n, both axes logarithmic. */
const [WIDTH, HEIGHT, LEFT, TOP, ACROSS, DOWN] = [860, 340, 60, 40, 320, 240]
const COLOURS = ['#0072b2', '#d55e00', '#009e73']
const PEER = '#666666'
const STYLE = 'font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" fill="#222222"'

export function growthFigure(rows, peers) {
  const speed = { title: 'M messages per CPU-second', decades: [0, 2], of: 'speed' }
  const memory = { title: 'bytes per node', decades: [1, 4], of: 'perNode' }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ${STYLE}>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    panel(LEFT, speed, rows, peers.speed),
    panel(
      LEFT + WIDTH / 2,
      memory,
      rows.filter(({ n }) => n >= 1e5),
      peers.memory,
    ),
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
      `<text x="${left - 8}" y="${at + 4}" text-anchor="end">${10 ** power}</text>`,
    )
  }
  for (let power = 3; power <= 8; power++)
    lines.push(
      `<text x="${x(10 ** power)}" y="${TOP + DOWN + 20}" text-anchor="middle">10^${power}</text>`,
    )
  lines.push(
    `<text x="${left + ACROSS / 2}" y="${TOP + DOWN + 40}" text-anchor="middle">nodes</text>`,
  )
  for (const [i, name] of [...new Set(rows.map((row) => row.name))].entries()) {
    const points = rows.filter((row) => row.name === name).map((row) => [x(row.n), y(row[of])])
    const colour = COLOURS[i]
    lines.push(
      `<polyline points="${points.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(
        ([a, b]) => `<circle cx="${a.toFixed(1)}" cy="${b.toFixed(1)}" r="3" fill="${colour}"/>`,
      ),
      `<text x="${left + 8}" y="${TOP + DOWN - 10 - 16 * i}" fill="${colour}">${name}</text>`,
    )
  }
  for (const { name, n, value } of peers)
    lines.push(
      `<circle cx="${x(n)}" cy="${y(value).toFixed(1)}" r="4" fill="none" stroke="${PEER}" stroke-width="2"/>`,
      `<text x="${x(n) + 10}" y="${(y(value) + 4).toFixed(1)}" fill="${PEER}">${name}</text>`,
    )
  return lines.join('\n')
}
