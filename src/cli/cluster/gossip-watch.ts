import type { Aggregate, Verdict } from '../../core/index.ts'
import { seconds } from '../input/duration.ts'
import { figure } from '../terminal/format.ts'
import type { NodeProcess } from './child-process.ts'
import type { NodeReport } from './election-node.ts'
import type { GossipReport } from './gossip-node.ts'
import { ProcessGroup, startTogether } from './process-group.ts'
import { sumOf } from './spawn.ts'

/** Who is killed, and how long after the start, in milliseconds. */
export interface Kill {
  readonly node: number
  readonly after: number
}

export interface GossipClusterOptions {
  readonly algorithm: string
  readonly aggregate: Aggregate
  /** How many exchanges every process begins, and the time for one, in milliseconds. */
  readonly until: number
  readonly period: number
  readonly kills: readonly Kill[]
  /** How near an estimate must be to the truth, relative to it. */
  readonly tolerance: number
  /** After how many cycles all begin anew, 0: never; and whether old values evaporate. */
  readonly epoch: number
  readonly forgets: boolean
}

type Node = GossipReport & { readonly pid: number }

/** How the estimates of the living stand. */
export interface GossipProcessReport {
  readonly epoch: number
  readonly mean: number | null
  /** The result for the values that the living have. */
  readonly truth: number
  /** The largest distance of an estimate from it, relative unless the truth is 0. */
  readonly error: number | null
  readonly within: number
}

export interface GossipClusterResult extends GossipProcessReport {
  readonly algorithm: string
  readonly n: number
  readonly until: number
  readonly periodMs: number
  readonly messages: NodeReport['messages']
  readonly killed: readonly { node: number; pid: number; afterMs: number }[]
  /** After the last death, before an epoch begins anew: with what the dead have taken along. */
  readonly lost: GossipProcessReport | null
  /** Whether all have begun anew since. */
  readonly repaired: boolean
  readonly verdict: { readonly ok: boolean; readonly properties: readonly Verdict[] }
  readonly nodes: readonly (Node & { readonly error: number | null })[]
}

/** How much longer than planned it may take, in milliseconds, before one goes on without. */
const PATIENCE = 20_000
/** The shortest pause between two looks. */
const PAUSE = 20

class Circle extends ProcessGroup<GossipReport> {
  protected override departed(last: GossipReport): GossipReport {
    return { ...last, status: 'dead', estimate: null }
  }
}

/** Lets processes gossip until each has begun its exchanges and all is quiet; kills some. */
export async function watchGossip(
  plan: GossipClusterOptions,
  children: readonly NodeProcess[],
  tell: (line: string) => void,
  show: (line: () => string) => void,
): Promise<GossipClusterResult> {
  await startTogether(children)
  const circle = new Circle(children)
  const began = performance.now()
  const kills = plan.kills.toSorted((a, b) => a.after - b.after)
  const killed: GossipClusterResult['killed'][number][] = []
  const deaths = new Aftermath(plan)
  let nodes: readonly Node[] = await circle.reports()
  let ripe: readonly Node[] | null = null
  for (;;) {
    const elapsed = performance.now() - began
    const due = kills.filter(({ after }) => after <= elapsed).slice(killed.length)
    for (const { node } of due) {
      const afterMs = Math.round(circle.kill(node) - began)
      const { pid } = children[node]
      killed.push({ node, pid, afterMs })
      tell(
        `${seconds(afterMs).padStart(8)}  position ${node} is killed (SIGKILL to process ${pid})`,
      )
    }
    const before = nodes
    nodes = await circle.reports()
    if (due.length > 0) deaths.begin(nodes)
    else deaths.look(nodes)
    if (isRipe(nodes, plan)) ripe = nodes
    else if (due.length > 0) ripe = null
    show(() => progress(elapsed, nodes, plan))
    const left = kills[killed.length]
    const done = left === undefined && due.length === 0 && isQuiet(before, nodes, plan)
    if (done || elapsed > 2 * plan.until * plan.period + PATIENCE) break
    const pause = Math.max(PAUSE, Math.min(plan.period / 2, 500))
    await circle.pause(
      Math.min(pause, left === undefined ? pause : Math.max(0, left.after - elapsed)),
    )
  }
  return outcomeOf(plan, ripened(nodes, ripe), killed, deaths)
}

/** Whether all are in one epoch and have half of it behind them; without epochs they always are. */
function isRipe(nodes: readonly Node[], { epoch: length }: GossipClusterOptions): boolean {
  const alive = living(nodes)
  return alive.every(
    ({ epoch, cycle }) => epoch === alive[0].epoch && (length === 0 || 2 * cycle >= length),
  )
}

/** Who has only just begun anew knows little: then what they knew before counts. */
function ripened(nodes: readonly Node[], ripe: readonly Node[] | null): readonly Node[] {
  return ripe === null ? nodes : ripe.map((node, i) => ({ ...node, messages: nodes[i].messages }))
}

/** Watches what becomes of the estimates after the last death. */
class Aftermath {
  private epoch = 0
  lost: GossipProcessReport | null = null

  constructor(private readonly plan: GossipClusterOptions) {}

  /** Somebody has just died. */
  begin(nodes: readonly Node[]): void {
    this.epoch = Math.max(...living(nodes).map(({ epoch }) => epoch))
    this.lost = standingOf(this.plan, nodes)
  }

  /** As long as nobody has begun anew, what is lost is lost. */
  look(nodes: readonly Node[]): void {
    if (this.lost !== null && living(nodes).every(({ epoch }) => epoch <= this.epoch))
      this.lost = standingOf(this.plan, nodes)
  }

  isRepaired(nodes: readonly Node[]): boolean {
    return this.lost !== null && living(nodes).every(({ epoch }) => epoch > this.epoch)
  }
}

/** Whether nobody will begin an exchange any more, and nothing has happened since the last look. */
function isQuiet(
  before: readonly Node[],
  nodes: readonly Node[],
  { until }: GossipClusterOptions,
): boolean {
  const sent = (all: readonly Node[]) => all.map(({ messages }) => messages.total).join()
  const over = living(nodes).every(({ exchanges }) => exchanges >= until)
  return over && sent(before) === sent(nodes)
}

function living(nodes: readonly Node[]): Node[] {
  return nodes.filter(({ status }) => status === 'alive')
}

function known(nodes: readonly Node[]): number[] {
  return living(nodes).flatMap(({ estimate }) => estimate ?? [])
}

function progress(
  elapsed: number,
  nodes: readonly Node[],
  { until }: GossipClusterOptions,
): string {
  const cycle = Math.min(until, ...living(nodes).map(({ exchanges }) => exchanges))
  const estimates = known(nodes)
  const range =
    estimates.length === 0
      ? 'no estimate yet'
      : `estimates from ${figure(Math.min(...estimates))} to ${figure(Math.max(...estimates))}`
  return `${seconds(elapsed)}  cycle ${cycle} of ${until}  ${range}`
}

function standingOf(
  { aggregate, tolerance }: GossipClusterOptions,
  nodes: readonly Node[],
): GossipProcessReport {
  const alive = living(nodes)
  const truth = aggregate.truth(Float64Array.from(alive, ({ value }) => value))
  const estimates = known(nodes)
  const errors = estimates.map((estimate) => errorOf(estimate, truth))
  const none = estimates.length === 0
  return {
    epoch: Math.max(...alive.map(({ epoch }) => epoch)),
    mean: none ? null : estimates.reduce((a, b) => a + b) / estimates.length,
    truth,
    error: none ? null : Math.max(...errors),
    within: errors.filter((error) => error <= tolerance).length / alive.length,
  }
}

/** Relative, unless the truth is 0. */
function errorOf(estimate: number, truth: number): number {
  return Math.abs(estimate - truth) / (truth === 0 ? 1 : Math.abs(truth))
}

function outcomeOf(
  plan: GossipClusterOptions,
  nodes: readonly Node[],
  killed: GossipClusterResult['killed'],
  deaths: Aftermath,
): GossipClusterResult {
  const { algorithm, until, period } = plan
  const standing = standingOf(plan, nodes)
  const unknown = living(nodes).length - known(nodes).length
  const detail = unknown === 0 ? '' : `${unknown} ${unknown === 1 ? 'has' : 'have'} none`
  const finite = { name: 'every live process has an estimate', holds: unknown === 0, detail }
  return {
    algorithm,
    n: nodes.length,
    until,
    periodMs: period,
    ...standing,
    messages: sumOf(nodes.map(({ messages }) => messages)),
    killed,
    lost: deaths.lost,
    repaired: deaths.isRepaired(nodes),
    verdict: { ok: finite.holds, properties: [finite] },
    nodes: nodes.map((node) => ({
      ...node,
      error: node.estimate === null ? null : errorOf(node.estimate, standing.truth),
    })),
  }
}
