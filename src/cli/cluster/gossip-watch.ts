import type { Aggregate, Verdict } from '../../core/index.ts'
import { errorScale, relativeError, spreadOf } from '../../sim/index.ts'
import { seconds } from '../input/duration.ts'
import { figure } from '../terminal/format.ts'
import type { NodeProcess } from './child-process.ts'
import type { NodeReport } from './election-node.ts'
import type { GossipReport } from './gossip-node.ts'
import { ProcessGroup, startTogether } from './process-group.ts'
import { totalMessages } from './spawn.ts'

/** A process to kill, and the time after the start, in milliseconds. */
export interface ProcessKill {
  readonly node: number
  readonly after: number
}

export interface GossipClusterOptions {
  readonly algorithm: string
  readonly aggregate: Aggregate
  /** The number of exchanges that every process begins, and their period in milliseconds. */
  readonly until: number
  readonly period: number
  readonly kills: readonly ProcessKill[]
  /** The relative error below which an estimate counts as correct. */
  readonly tolerance: number
  /** Cycles in an epoch, 0 for no epochs; and whether estimates evaporate. */
  readonly epoch: number
  readonly evaporates: boolean
}

type Node = GossipReport & { readonly pid: number }

/** The estimates of the live processes, compared with the true result. */
export interface EstimateSummary {
  readonly epoch: number
  readonly mean: number | null
  /** The exact result for the values of the live processes. */
  readonly truth: number
  /** What errors are relative to: |truth|, or the spread of all values if it is below 1 % of it. */
  readonly scale: number
  /** The largest error of an estimate. */
  readonly error: number | null
  readonly within: number
}

export interface GossipClusterResult extends EstimateSummary {
  readonly algorithm: string
  readonly n: number
  readonly until: number
  readonly periodMs: number
  readonly messages: NodeReport['messages']
  readonly killed: readonly { node: number; pid: number; afterMs: number }[]
  /** After the last kill, before the next epoch: without the shares of the killed processes. */
  readonly lost: EstimateSummary | null
  /** Whether all live processes are in a later epoch. */
  readonly repaired: boolean
  readonly verdict: { readonly ok: boolean; readonly properties: readonly Verdict[] }
  readonly nodes: readonly (Node & { readonly error: number | null })[]
}

/** Time beyond twice the expected one before the run is ended, in milliseconds. */
const PATIENCE = 20_000
/** The shortest pause between two reports, in milliseconds. */
const PAUSE = 20

class GossipGroup extends ProcessGroup<GossipReport> {
  protected override absentReport(last: GossipReport): GossipReport {
    return { ...last, status: 'dead', estimate: null }
  }
}

/** Watches processes until each has begun its exchanges and none is in progress; kills some. */
export async function watchGossip(
  options: GossipClusterOptions,
  children: readonly NodeProcess[],
  print: (line: string) => void,
  show: (line: () => string) => void,
): Promise<GossipClusterResult> {
  await startTogether(children)
  const group = new GossipGroup(children)
  const began = performance.now()
  const kills = options.kills.toSorted((a, b) => a.after - b.after)
  const killed: GossipClusterResult['killed'][number][] = []
  const effect = new CrashEffect(options)
  let nodes: readonly Node[] = await group.reports()
  let settled: readonly Node[] | null = null
  for (;;) {
    const elapsed = performance.now() - began
    const due = kills.filter(({ after }) => after <= elapsed).slice(killed.length)
    for (const { node } of due) {
      const afterMs = Math.round(group.kill(node) - began)
      const { pid } = children[node]
      killed.push({ node, pid, afterMs })
      print(
        `${seconds(afterMs).padStart(8)}  position ${node} is killed (SIGKILL to process ${pid})`,
      )
    }
    const before = nodes
    nodes = await group.reports()
    if (due.length > 0) effect.crashed(nodes)
    else effect.observe(nodes)
    if (isSettled(nodes, options)) settled = nodes
    else if (due.length > 0) settled = null
    show(() => progress(elapsed, nodes, options))
    const left = kills[killed.length]
    const done = left === undefined && due.length === 0 && isQuiet(before, nodes, options)
    if (done || elapsed > 2 * options.until * options.period + PATIENCE) break
    const pause = Math.max(PAUSE, Math.min(options.period / 2, 500))
    await group.pause(
      Math.min(pause, left === undefined ? pause : Math.max(0, left.after - elapsed)),
    )
  }
  return gossipResultOf(options, withLastSettled(nodes, settled), killed, effect)
}

/** Whether all are in the second half of the same epoch; always true without epochs. */
function isSettled(nodes: readonly Node[], { epoch: length }: GossipClusterOptions): boolean {
  const live = alive(nodes)
  return live.every(
    ({ epoch, cycle }) => epoch === live[0].epoch && (length === 0 || 2 * cycle >= length),
  )
}

/** Estimates at the beginning of an epoch are poor: the last settled ones count instead. */
function withLastSettled(nodes: readonly Node[], settled: readonly Node[] | null): readonly Node[] {
  return settled === null
    ? nodes
    : settled.map((node, i) => ({ ...node, messages: nodes[i].messages }))
}

/** The effect of the last kill on the estimates. */
class CrashEffect {
  private epoch = 0
  lost: EstimateSummary | null = null

  constructor(private readonly options: GossipClusterOptions) {}

  /** A process was just killed. */
  crashed(nodes: readonly Node[]): void {
    this.epoch = Math.max(...alive(nodes).map(({ epoch }) => epoch))
    this.lost = summaryOf(this.options, nodes)
  }

  /** Until the next epoch the lost shares are missing. */
  observe(nodes: readonly Node[]): void {
    if (this.lost !== null && alive(nodes).every(({ epoch }) => epoch <= this.epoch))
      this.lost = summaryOf(this.options, nodes)
  }

  isRepaired(nodes: readonly Node[]): boolean {
    return this.lost !== null && alive(nodes).every(({ epoch }) => epoch > this.epoch)
  }
}

/** Whether no process will begin an exchange, and no message was sent since the last report. */
function isQuiet(
  before: readonly Node[],
  nodes: readonly Node[],
  { until }: GossipClusterOptions,
): boolean {
  const sent = (all: readonly Node[]) => all.map(({ messages }) => messages.total).join()
  const over = alive(nodes).every(({ exchanges }) => exchanges >= until)
  return over && sent(before) === sent(nodes)
}

function alive(nodes: readonly Node[]): Node[] {
  return nodes.filter(({ status }) => status === 'alive')
}

function known(nodes: readonly Node[]): number[] {
  return alive(nodes).flatMap(({ estimate }) => estimate ?? [])
}

function progress(
  elapsed: number,
  nodes: readonly Node[],
  { until }: GossipClusterOptions,
): string {
  const cycle = Math.min(until, ...alive(nodes).map(({ exchanges }) => exchanges))
  const estimates = known(nodes)
  const range =
    estimates.length === 0
      ? 'no estimate yet'
      : `estimates from ${figure(Math.min(...estimates))} to ${figure(Math.max(...estimates))}`
  return `${seconds(elapsed)}  cycle ${cycle} of ${until}  ${range}`
}

function summaryOf(
  { aggregate, tolerance }: GossipClusterOptions,
  nodes: readonly Node[],
): EstimateSummary {
  const live = alive(nodes)
  const truth = aggregate.truth(Float64Array.from(live, ({ value }) => value))
  const estimates = known(nodes)
  const scale = errorScale(truth, spreadOf(aggregate, rangeOf(nodes)))
  const errors = estimates.map((estimate) => relativeError(estimate, truth, scale))
  const near = estimates.filter((one) => Math.abs(one - truth) <= tolerance * scale)
  const none = estimates.length === 0
  return {
    epoch: Math.max(...live.map(({ epoch }) => epoch)),
    mean: none ? null : estimates.reduce((a, b) => a + b) / estimates.length,
    truth,
    scale,
    error: none ? null : Math.max(...errors),
    within: near.length / live.length,
  }
}

/** Those of the killed processes, too. */
function rangeOf(nodes: readonly Node[]) {
  const values = nodes.map(({ value }) => value)
  return { least: Math.min(...values), most: Math.max(...values) }
}

function gossipResultOf(
  options: GossipClusterOptions,
  nodes: readonly Node[],
  killed: GossipClusterResult['killed'],
  effect: CrashEffect,
): GossipClusterResult {
  const { algorithm, until, period } = options
  const standing = summaryOf(options, nodes)
  const unknown = alive(nodes).length - known(nodes).length
  const detail = unknown === 0 ? '' : `${unknown} ${unknown === 1 ? 'has' : 'have'} none`
  const finite = { name: 'every live process has an estimate', holds: unknown === 0, detail }
  return {
    algorithm,
    n: nodes.length,
    until,
    periodMs: period,
    ...standing,
    messages: totalMessages(nodes.map(({ messages }) => messages)),
    killed,
    lost: effect.lost,
    repaired: effect.isRepaired(nodes),
    verdict: { ok: finite.holds, properties: [finite] },
    nodes: nodes.map((node) => ({
      ...node,
      error:
        node.estimate === null
          ? null
          : relativeError(node.estimate, standing.truth, standing.scale),
    })),
  }
}
