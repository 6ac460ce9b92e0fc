import { type NodeDisplay, type Topology, type TraceEvent, UsageError } from '../../core/index.ts'
import { realIds, type World } from '../../core/language/world.ts'
import { counted, grouped, momentText, rounded } from '../../core/text-format.ts'
import { DisplayRecorder } from '../../core/trace/display-recorder.ts'
import { displayFacts } from '../../core/trace/node-display.ts'
import {
  networkPicture,
  type PicturedNode,
  type PicturedStatus,
} from '../../diagram/network/network-picture.ts'
import { decimal, integer } from '../../options/reading.ts'
import { electionRun } from '../../scenario/election/election-run.ts'
import type { Preparation } from '../../scenario/index.ts'
import type { NodeResult, RunResult, Simulation } from '../../sim/index.ts'
import type { AggregationReport } from './gossip-report.ts'

const PREFIX = 'network:'
/** More nodes would be dots without a word. */
const MOST_NODES = 1000

/** What a file of pictures shows: the network, or the course of the run. */
export interface PictureFile {
  readonly path: string
  readonly network: boolean
}

/** Reads `network:FILE`; any other text is the file of a diagram. */
export function pictureFile(svg: string): PictureFile {
  const network = svg.startsWith(PREFIX)
  return { path: network ? svg.slice(PREFIX.length) : svg, network }
}

export function refuseLargeNetwork(n: number): void {
  if (n <= MOST_NODES) return
  throw new UsageError(
    '--svg',
    `a picture of the network shows at most ${grouped(MOST_NODES)} nodes, but there are ${grouped(n)}.`,
    'Choose a smaller network.',
  )
}

/** The moment of a picture: a round or a cycle from 1 on, or a time from 0 on. */
export function readMoment(
  at: string | undefined,
  unit: 'round' | 'time' | 'interaction' | 'cycle',
): number | null {
  if (at === undefined) return null
  if (unit === 'interaction')
    return integer('--at', at, 0, Number.MAX_SAFE_INTEGER, 'a number of interactions')
  if (unit === 'time') return decimal('--at', at, 'a time from 0 on', 10, (time) => time >= 0)
  return integer('--at', at, 1, Number.MAX_SAFE_INTEGER, `a ${unit}`)
}

/** The network of an election at its end, or at an earlier moment, for which it runs again. */
export function electionPicture(
  preparation: Preparation,
  result: RunResult,
  at: string | undefined,
): string {
  const { world, conditions } = preparation
  const { unit } = result.time
  const moment = readMoment(at, unit)
  const until = moment === null ? 0 : moment - (conditions.synchronous ? 1 : 0)
  const { result: shown, displays } =
    moment === null && world.algorithm.display === null
      ? { result, displays: [] }
      : shownAt(preparation, moment === null ? conditions.until : until)
  const { leading } = shown
  const heads = leading.map((node) => nodeWord(world, node))
  const who =
    heads.length === 0
      ? 'no leader'
      : `${heads.length === 1 ? 'leader' : 'leaders'} ${heads.join(', ')}`
  const when =
    moment === null
      ? 'at the end'
      : `${unit === 'round' ? 'in' : 'at'} ${unit} ${momentText(moment)}`
  const tree = shown.tree?.edges ?? []
  const weight = shown.tree?.weight
  const spanned = tree.length === 0 ? [] : [`tree of ${counted(tree.length, 'edge')}`]
  const cost = weight === undefined || tree.length === 0 ? [] : [`weight ${rounded(weight, 6)}`]
  const { ended } = shown.time
  const sent =
    unit === 'interaction'
      ? counted(ended ?? 0, 'interaction')
      : counted(shown.messages.total, 'message')
  return networkPicture({
    title: `${world.algorithm.name} on ${world.topology.name}`,
    subtitle: [when, who, ...spanned, ...cost, sent].join(', '),
    topology: world.topology,
    ...movedNetwork(world.topology, moment ?? shown.time.last ?? 0),
    nodes: (shown.nodes ?? []).map((node) => electionNode(node, world, displays[node.node])),
    display: displayFacts(world.algorithm),
    now: moment ?? shown.time.last ?? 0,
    tree: tree.map(([a, b]) => [a, b] as const),
    weights: world.weights ?? null,
    legend: legendOf(world, shown.nodes?.some(({ value }) => value !== undefined) === true),
    range: null,
  })
}

/** Where moving nodes are at a moment, and which of them reach each other. */
function movedNetwork({ trajectory, name }: Topology, moment: number) {
  if (trajectory === undefined) return {}
  const places = trajectory[Math.min(Math.floor(moment), trajectory.length - 1)]
  const range = Number(name.split(':')[2])
  const linked = (a: number, b: number) =>
    Math.hypot(places[2 * a] - places[2 * b], places[2 * a + 1] - places[2 * b + 1]) <= range
  return { places, linked }
}

/** Runs an election again, up to a time, and follows what its definition shows. */
function shownAt(preparation: Preparation, until: number) {
  const conditions = { ...preparation.conditions, until }
  let simulation: Simulation | undefined
  const recorder = new DisplayRecorder(() => simulation)
  const trace = (event: TraceEvent) => simulation && recorder.record(event)
  const run = electionRun({ ...preparation, conditions }, { trace, handling: recorder })
  simulation = run.simulation
  const result = run.result(simulation.finish())
  const displays = simulation.states.all().map((state, node) => recorder.display(node, state))
  return { result, displays }
}

function electionNode(
  { node, id, value, status, leader }: NodeResult,
  world: World,
  display: NodeDisplay | null = null,
): PicturedNode {
  const name = world.topology.listed?.labels?.[node]
  const facts = [
    `position ${node}`,
    ...(name === undefined ? [] : [`node ${name}`]),
    ...(id === null ? [] : [`id ${id}`]),
    ...(value === undefined ? [] : [`value ${value}`]),
    status === 'dead' ? 'crashed' : status === 'unknown' ? 'undecided' : status,
    ...(status === 'lost' && leader !== null ? [`follows ${leader}`] : []),
  ]
  return {
    label: String(id ?? node),
    below: [
      ...(name === undefined ? [] : [name]),
      ...(value === undefined ? [] : [short(value)]),
    ].join(' '),
    status,
    shade: null,
    display: status === 'asleep' || status === 'dead' ? null : display,
    title: facts.join(', '),
  }
}

function legendOf({ algorithm, topology, weights }: World, valued: boolean): string[] {
  const named = topology.listed?.labels !== undefined
  const below = [...(named ? ['label'] : []), ...(valued ? ['value'] : [])]
  return [
    `in a node: its ${algorithm.needs.ids === undefined ? 'position' : 'id'}`,
    ...(below.length === 0 ? [] : [`beside it: its ${below.join(' and ')}`]),
    ...(weights ? ['on a link: its weight'] : []),
  ]
}

/** The network of a run of the checker at its end, as far as its events tell. */
export function eventsPicture(
  events: readonly TraceEvent[],
  world: World,
  words: { readonly title: string; readonly subtitle: string },
  displays: readonly (NodeDisplay | null)[] = [],
): string {
  const { topology, algorithm } = world
  const statuses = new Array<PicturedStatus>(topology.n).fill('asleep')
  const ids = algorithm.needs.ids === undefined ? null : Array.from(realIds(world))
  for (const event of events) {
    const { node } = event
    if (event.event === 'wake' || (event.event === 'receive' && event.woken))
      statuses[node] = 'unknown'
    else if (event.event === 'recover') {
      statuses[node] = 'unknown'
      if (ids !== null) ids[node] = event.id
    } else if (event.event === 'crash') statuses[node] = 'dead'
    else if (event.event === 'lead') statuses[node] = 'leader'
    else if (event.event === 'follow') statuses[node] = 'lost'
    else if (event.event === 'withdraw') statuses[node] = 'unknown'
  }
  return networkPicture({
    ...words,
    topology,
    nodes: statuses.map((status, node) => {
      const id = ids === null ? null : ids[node]
      const result = { node, id, status: status as 'lost', leader: null, state: {} }
      return electionNode(result, world, displays[node])
    }),
    display: displayFacts(algorithm),
    now: events.at(-1)?.at ?? 0,
    tree: [],
    weights: world.weights ?? null,
    legend: legendOf(world, false),
    range: null,
  })
}

/** The network of an aggregation, with the estimates of its nodes. */
export function aggregationPicture(
  topology: Topology,
  { scenario, nodes = [], truth, cycles }: AggregationReport,
): string {
  const known = nodes.map(({ estimate }) => estimate).filter((estimate) => estimate !== null)
  const low = known.reduce((a, b) => Math.min(a, b), known[0] ?? 0)
  const high = known.reduce((a, b) => Math.max(a, b), low)
  const last = cycles.at(-1)
  const when = `after ${counted(last?.cycle ?? 0, 'cycle')}`
  return networkPicture({
    title: `${scenario.algorithm} on ${topology.name}`,
    subtitle: `${when}, truth ${short(truth)}`,
    topology,
    nodes: nodes.map(({ node, status, value, estimate }) => ({
      label: estimate === null ? '?' : short(estimate),
      below: value === undefined ? '' : short(value),
      status: status === 'alive' ? 'alive' : 'dead',
      shade: estimate === null ? null : high > low ? (estimate - low) / (high - low) : 0.3,
      title: `position ${node}, value ${value}, estimate ${estimate ?? 'unknown'}`,
    })),
    tree: [],
    weights: null,
    legend: ['in a node: its estimate', 'beside it: its value'],
    range: known.length === 0 ? null : [short(low), short(high)],
  })
}

function nodeWord(world: World, node: number): string {
  return world.algorithm.needs.ids === undefined
    ? `at position ${node}`
    : String(realIds(world)[node])
}

/** Three significant digits fit into a node. */
function short(value: number): string {
  return rounded(value, 3)
}
