import type { JSX } from 'preact'
import type { LessonPicture } from './format/lesson.ts'

type Point = readonly [x: number, y: number]

const WIDTH = 160
const HEIGHT = 100
const CENTRE: Point = [WIDTH / 2, HEIGHT / 2]

/** Points on a circle, clockwise from the top. */
function circle(n: number, radius = 36, [x, y] = CENTRE): Point[] {
  return Array.from({ length: n }, (_, i) => {
    const angle = (2 * Math.PI * i) / n - Math.PI / 2
    return [round(x + radius * Math.cos(angle)), round(y + radius * Math.sin(angle))]
  })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function Node(props: { readonly at: Point; readonly as?: string; readonly r?: number }) {
  const { at, as = 'node', r = 6 } = props
  return <circle class={as} cx={at[0]} cy={at[1]} r={r} />
}

function Link({ from, to, as = 'link' }: { from: Point; to: Point; as?: string }) {
  return <line class={as} x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
}

/** A network: its links, then its nodes, each of a kind. */
function Network(props: {
  readonly points: readonly Point[]
  readonly links: readonly (readonly [number, number, string?])[]
  readonly kinds?: Readonly<Record<number, string>>
}) {
  const { points, links, kinds = {} } = props
  return (
    <>
      {links.map(([a, b, as = 'link']) => (
        <Link key={`${a}-${b}`} from={points[a]} to={points[b]} as={as} />
      ))}
      {points.map((at, i) => (
        <Node key={i} at={at} as={kinds[i] ?? 'node'} r={kinds[i] === 'leader' ? 8 : 6} />
      ))}
    </>
  )
}

function ringOf(points: readonly Point[]): [number, number][] {
  return points.map((_, i) => [i, (i + 1) % points.length])
}

function Ring(props: { readonly n: number; readonly kinds?: Readonly<Record<number, string>> }) {
  const points = circle(props.n)
  return <Network points={points} links={ringOf(points)} kinds={props.kinds ?? {}} />
}

/** A part of the circle on which rings lie, with a head. */
function Arc({ from, to, radius, as }: { from: number; to: number; radius: number; as: string }) {
  const at = (turn: number): Point => {
    const angle = 2 * Math.PI * turn - Math.PI / 2
    return [round(80 + radius * Math.cos(angle)), round(50 + radius * Math.sin(angle))]
  }
  const [start, end] = [at(from), at(to)]
  const sweep = to > from ? 1 : 0
  const large = Math.abs(to - from) > 0.5 ? 1 : 0
  return (
    <>
      <path class={as} d={`M${start} A${radius} ${radius} 0 ${large} ${sweep} ${end}`} />
      <circle class={`${as} head`} cx={end[0]} cy={end[1]} r={3} />
    </>
  )
}

const FIVE = circle(5, 34, [80, 60])
const MESH: readonly Point[] = [
  [28, 30],
  [62, 18],
  [102, 24],
  [136, 40],
  [40, 70],
  [80, 58],
  [118, 78],
]
const MESH_LINKS = [
  [0, 1],
  [1, 2],
  [2, 3],
  [0, 4],
  [1, 5],
  [4, 5],
  [5, 2],
  [5, 6],
  [6, 3],
] as const
const TREE = new Set(['0-1', '1-5', '4-5', '5-2', '5-6', '2-3'])

const HALF: readonly Point[] = [
  [40, 28],
  [28, 62],
  [58, 76],
  [62, 44],
  [104, 30],
  [130, 52],
  [108, 76],
]

const PICTURES: Readonly<Record<LessonPicture, () => JSX.Element>> = {
  crown: () => (
    <>
      <Network points={FIVE} links={ringOf(FIVE)} kinds={{ 0: 'leader' }} />
      <path class="crown" d="M72 17l-2-9 5 4 5-7 5 7 5-4-2 9Z" />
    </>
  ),
  ring: () => <Ring n={8} kinds={{ 0: 'leader' }} />,
  race: () => (
    <>
      <Ring n={8} kinds={{ 0: 'leader' }} />
      <Arc from={0.02} to={0.86} radius={46} as="message" />
      <Arc from={0.63} to={0.74} radius={26} as="message other" />
    </>
  ),
  phases: () => (
    <>
      <Ring n={12} kinds={{ 0: 'leader', 4: 'active', 8: 'active' }} />
      <Arc from={0} to={0.16} radius={24} as="message" />
      <Arc from={0} to={-0.16} radius={24} as="message" />
      <Arc from={0} to={0.33} radius={46} as="message" />
      <Arc from={0} to={-0.33} radius={46} as="message" />
    </>
  ),
  same: () => (
    <Ring
      n={6}
      kinds={{ 0: 'leader', 1: 'leader', 2: 'leader', 3: 'leader', 4: 'leader', 5: 'leader' }}
    />
  ),
  clock: () => (
    <>
      <Ring n={8} kinds={{ 2: 'leader' }} />
      <path class="message" d="M80 50V30M80 50l13 7" />
    </>
  ),
  curve: () => (
    <>
      <path class="link" d="M26 12V86H142" />
      <path class="message other" d="M30 84C70 80 96 60 108 12" />
      <path class="message" d="M30 84C70 76 110 58 140 38" />
    </>
  ),
  complete: () => {
    const points = circle(7)
    const links = points.flatMap((_, a) =>
      points.slice(a + 1).map((_, i) => [a, a + 1 + i] as const),
    )
    return <Network points={points} links={links} kinds={{ 0: 'leader' }} />
  },
  tree: () => (
    <Network
      points={MESH}
      links={MESH_LINKS.map(([a, b]) => [a, b, TREE.has(`${a}-${b}`) ? 'tree' : 'link'])}
      kinds={{ 5: 'leader' }}
    />
  ),
  wireless: () => (
    <>
      {[14, 26, 38].map((r) => (
        <circle key={r} class="wave" cx={80} cy={58} r={r} />
      ))}
      <Network
        points={MESH}
        links={MESH_LINKS.filter(([a, b]) => TREE.has(`${a}-${b}`))}
        kinds={{ 5: 'leader' }}
      />
    </>
  ),
  gossip: () => (
    <Network
      points={MESH}
      links={MESH_LINKS}
      kinds={{
        0: 'shade-0',
        1: 'shade-1',
        2: 'shade-3',
        3: 'shade-4',
        4: 'shade-1',
        5: 'shade-2',
        6: 'shade-3',
      }}
    />
  ),
  broken: () => (
    <>
      <path class="cut" d="M82 8V92" />
      <Network
        points={HALF}
        links={[
          [0, 1],
          [1, 2],
          [2, 3],
          [0, 3],
          [4, 5],
          [5, 6],
          [4, 6],
        ]}
        kinds={{
          0: 'shade-0',
          1: 'shade-0',
          2: 'shade-0',
          3: 'shade-0',
          4: 'shade-4',
          5: 'shade-4',
          6: 'shade-4',
        }}
      />
    </>
  ),
  proof: () => (
    <>
      <Ring n={6} kinds={{ 0: 'leader' }} />
      <Arc from={0.02} to={0.5} radius={46} as="message" />
      <path class="message other" d="M70 50l7 8 14-17" />
    </>
  ),
  lease: () => (
    <>
      <Network
        points={circle(5)}
        links={[
          [0, 1],
          [0, 2],
          [0, 3],
          [0, 4],
        ]}
        kinds={{ 0: 'leader' }}
      />
      <path class="message" d="M80 2A12 12 0 1 1 69 18" transform="rotate(0 80 14)" />
    </>
  ),
}

/** The small picture of a lesson in the list. */
export function SmallPicture({ name }: { readonly name: LessonPicture }) {
  const Drawing = PICTURES[name]
  return (
    <svg class="lesson-picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <Drawing />
    </svg>
  )
}
