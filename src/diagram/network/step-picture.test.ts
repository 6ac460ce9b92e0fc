import { describe, expect, it } from 'vitest'
import { type StepPicture, stepPicture } from './step-picture.ts'

const picture: StepPicture = {
  title: 'one step',
  subtitle: '',
  nodes: [{ id: 1, status: 'asleep' }, { status: 'leader' }, {}],
  messages: [{ type: 'election', to: 0, going: 'left', body: { id: 1 } }],
  step: {
    event: 'receive',
    after: { id: 1, status: 'leader' },
    sends: [{ type: 'news', to: 1, going: 'left', body: {} }],
  },
  broken: { nodes: [0, 1], messages: [{ sent: 0 }] },
  text: ['the step'],
}
const count = (svg: string, text: string) => svg.split(text).length - 1

describe('the picture of a step', () => {
  const svg = stepPicture(picture)

  it('has the delivered message before, and what was sent after', () => {
    expect([count(svg, '>election(id 1)<'), count(svg, '>news<')]).toEqual([1, 1])
    expect(svg.indexOf('>election(id 1)<')).toBeLessThan(svg.indexOf('>after the step<'))
    expect(svg.indexOf('>news<')).toBeGreaterThan(svg.indexOf('>after the step<'))
  })

  it('marks who acts in both, and what fails in the second only', () => {
    const circles = [...svg.matchAll(/<circle[^>]*stroke="(#\w+)" stroke-width="3"/g)]
    const colours = circles.map(([, colour]) => colour)
    // One sample of each is in the legend.
    expect(colours.filter((colour) => colour === '#0067a8')).toHaveLength(2 + 1)
    expect(colours.filter((colour) => colour === '#b3261e')).toHaveLength(2 + 1)
  })

  it('shows what may be anything in grey', () => {
    expect(count(svg, '>any state<')).toBe(2)
    // The third node, twice, and the sample of the legend.
    expect(count(svg, 'fill="#ececec"')).toBe(2 + 1)
  })

  it('has a line for each link of a complete network, and no circle', () => {
    const complete = stepPicture({ ...picture, topology: 'complete' })
    expect(complete.match(/<path d="M[\d. ]+L[\d. ]+" stroke="#b8c1cb"/g)).toHaveLength(3 + 3)
    expect(complete).not.toContain('r="118"')
    expect(svg).toContain('r="118"')
  })
})
