import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ringPicture } from './ring.ts'

const SIZES = [1, 2, 3, 8, 24]

function occurrences(picture: string, label: string): number {
  return picture.split(/[^\d]+/).filter((word) => word === label).length
}

function width(picture: string): number {
  return Math.max(...picture.split('\n').map((line) => [...line].length))
}

test('eight nodes, one leader, one dead and one asleep', () => {
  const marks = { 8: 'leader', 1: 'dead', 5: 'asleep' } as const
  const nodes = [3, 2, 7, 8, 5, 4, 1, 6].map((id) => ({
    label: String(id),
    ...(id in marks && { mark: marks[id as keyof typeof marks] }),
  }))
  expect(ringPicture(nodes).split('\n')).toEqual([
    '   ╭────▶ 3 ────────▶ 2 ────────▶ 7 ────╮',
    '   │                                    ▼',
    '   6                                   ♛ 8',
    '   ▲                                    │',
    '   ╰─── ✗ 1 ◀─────── 4 ◀─────── ☾ 5 ◀───╯',
  ])
})

test('alone, and in a pair', () => {
  expect(ringPicture([{ label: '1', mark: 'leader' }]).split('\n')).toEqual([
    '   ╭───▶ ♛ 1 ───╮',
    '   │            │',
    '   ╰─────◀──────╯',
  ])
  expect(ringPicture([{ label: '1' }, { label: '2' }]).split('\n')).toEqual([
    '  ╭───▶ 1 ───╮',
    '  │          │',
    '  ╰─── 2 ◀───╯',
  ])
})

describe.each(SIZES)('a ring of %i', (n) => {
  test.each([1, 7, 16])('shows each label of %i digits once, within 78 columns', (digits) => {
    const labels = Array.from({ length: n }, (_, i) => String(i + 1).padStart(digits, '9'))
    const nodes = labels.map((label, i) =>
      i === n - 1 ? { label, mark: 'leader' as const } : { label },
    )
    const picture = ringPicture(nodes)
    for (const label of labels) expect(occurrences(picture, label), label).toBe(1)
    expect(width(picture)).toBeLessThanOrEqual(78)
    expect(picture.split('♛')).toHaveLength(2)
  })

  test('has an arrow into every node', () => {
    const picture = ringPicture(Array.from({ length: n }, (_, i) => ({ label: String(i) })))
    const empty = /╰[─◀]+╯/.test(picture) ? 1 : 0
    expect(picture.match(/[▶▼◀▲]/g)).toHaveLength(n + empty)
  })
})

test('read clockwise from the top left, the labels are in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), (n) => {
      const picture = ringPicture(Array.from({ length: n }, (_, i) => ({ label: String(i) })))
      const rows = picture.split('\n')
      const found = (row: string) => [...row.matchAll(/\d+/g)].map(([label]) => Number(label))
      const sides = rows
        .slice(1, -1)
        .map(found)
        .filter((row) => row.length === 2)
      const clockwise = [
        ...found(rows[0]),
        ...sides.map(([, right]) => right),
        ...found(rows[rows.length - 1]).reverse(),
        ...sides.map(([left]) => left).reverse(),
      ]
      expect(clockwise).toEqual(Array.from({ length: n }, (_, i) => i))
    }),
  )
})

test('colours take no room', () => {
  const nodes = [{ label: '10', mark: 'leader' as const }, { label: '20' }, { label: '30' }]
  const painted = ringPicture(nodes, { colour: (text, mark) => `<${mark}:${text}>` })
  expect(painted).toContain('<leader:♛ 10>')
  expect(painted.replace(/<\w+:([^>]*)>/g, '$1')).toBe(ringPicture(nodes))
})
