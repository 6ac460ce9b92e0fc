#!/usr/bin/env node
/* npm run faults: the fault matrix between real processes. */
import { parseArgs } from 'node:util'
import { certificates } from './certificates.js'
import { Cluster, now, sleep } from './cluster.js'
import { FAULTS } from './faults.js'
import { agreement, fenceReport, overlap, staleActs, vacancy, validity } from './history.js'
import { missingForNamespaces, Namespaces } from './namespaces.js'
import { ProxiedLoopback } from './proxy.js'

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    runs: { type: 'string', default: '1' },
    lease: { type: 'string', default: '1000' },
    duration: { type: 'string', default: '6000' },
    members: { type: 'string', default: '5' },
    loopback: { type: 'boolean', default: false },
    tls: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})

/** Milliseconds between two looks of a busy member at its lease. */
const READING = 10
/** Milliseconds for which a busy machine is waited for. */
const PATIENCE = 20_000
const lease = Number(values.lease)
const duration = Number(values.duration)
const count = Number(values.members)
const wanted = values.rows?.split(',')
const chosen = FAULTS.filter(({ name, planted }) =>
  wanted === undefined ? !planted : wanted.some((word) => name.includes(word)),
)
const names = Array.from({ length: count }, (_, i) => `m${i}`)
const tls = values.tls ? certificates(names) : undefined

/** Bytes are spoilt by proxies, which stand on loopback. */
const overLoopback = ({ needs }) => values.loopback || needs === 'spoil'

/** One row: a fresh cluster, one fault, and what it did. */
async function measure(fault, run) {
  const loopback = overLoopback(fault)
  const world = loopback
    ? new ProxiedLoopback(count, Number(values.seed) + run)
    : new Namespaces(count)
  // Proxies cannot tell members apart that speak TLS.
  const secret = loopback && cuts(fault) ? undefined : 'a secret for the fault matrix'
  const options = loopback ? { fast: false } : {}
  const cluster = new Cluster(world, {
    ...{ members: count, lease, secret, tls, options },
    ...{ verbose: values.verbose, otherClock: fault.name.includes('clock x') },
  })
  try {
    await fault.prepare?.({ cluster })
    await cluster.start()
    await sleep(lease)
    await cluster.until(() => cluster.leader !== null, PATIENCE, 'a leader')
    const leader = cluster.leader
    const second = (leader + 1) % count
    const context = { cluster, leader, second, duration }
    const begun = now()
    await fault.begin(context)
    // A fault that begins slowly still lasts long enough for another member to take over.
    await sleep(Math.max(fault.lasting ? 0 : 2.5 * lease, duration - (now() - begun)))
    const ended = now()
    const termsDuring = termsOf(cluster)
    await (fault.end ? fault.end(context) : world.heal())
    // A returning member counts from the moment at which its program runs.
    const loaded = fault.returns && cluster.lines[leader].findLast(({ what }) => what === 'loaded')
    const healed = loaded?.at ?? ended
    const limits = { vacancy: fault.vacancy * lease, agreed: (fault.returns ? 2 : 1.5) * lease }
    limits.agreed += 1000
    await sleep(limits.agreed + lease)
    // Whoever agrees later is late, not without a leader.
    await cluster.until(() => cluster.agreed, PATIENCE, 'agreement').catch(() => {})
    const measured = report(cluster, { begun, ended, healed }, termsDuring)
    return { fault: fault.name, run, ...measured, ...judged(measured, limits) }
  } finally {
    await cluster.stop()
  }
}

/** What must not happen at all, and what took longer than it should. */
function judged({ overlap, sampled, acts, violations, lost, vacancy, agreed }, limits) {
  const broken = overlap + sampled + acts + violations + lost > 0
  // A vacancy of none still has the moments between two readings.
  const late = [
    ...(vacancy > limits.vacancy + READING ? [`none > ${limits.vacancy}`] : []),
    ...(agreed === null || agreed > limits.agreed ? [`agree > ${limits.agreed}`] : []),
  ]
  return { limits, broken, late }
}

function report(cluster, { begun, ended, healed }, terms) {
  const intervals = cluster.lines.map((lines, i) => validity(lines, cluster.died[i]))
  const agreed = agreement(cluster.lines, healed)
  const held = cluster.lines.map((lines) => lines.filter(({ what }) => what === 'held'))
  return {
    overlap: overlap(intervals),
    sampled: overlap(held),
    acts: staleActs(cluster.resourceLines, intervals, cluster.names),
    ...fenceReport(cluster.resourceLines),
    vacancy: vacancy(intervals, begun, ended).longest,
    terms,
    agreed: agreed === null ? null : agreed - healed,
  }
}

function termsOf(cluster) {
  const terms = cluster.lines.flat().flatMap(({ what, term }) => (what === 'valid' ? [term] : []))
  return new Set(terms).size
}

const missing = missingForNamespaces()
if (missing !== null && !values.loopback) {
  process.stderr.write(`npm run faults: ${missing}. Debian: apt install iproute2 nftables\n`)
  process.exit(2)
}

const TITLES = ['two ms', 'seen ms', 'acts', 'fence', 'lost', 'none ms', 'terms', 'agree ms']
if (!values.json)
  process.stdout.write(
    `${'fault'.padEnd(34)}${TITLES.map((title) => title.padStart(9)).join('')}  limits\n`,
  )
let broken = false
for (const fault of chosen) {
  const reason = reasonAgainst(fault)
  for (let run = 1; run <= Number(values.runs) && reason === null; run++) {
    const result = await measure(fault, run)
    broken ||= result.broken
    print(result)
  }
  if (reason !== null && !values.json)
    process.stdout.write(`${fault.name.padEnd(34)} left out: ${reason}\n`)
}
process.exitCode = broken ? 1 : 0

/** A proxy reads in clear who is behind a connection. */
function cuts({ begin }) {
  return /isolate|cut|Clock/.test(String(begin))
}

function reasonAgainst(fault) {
  const { needs } = fault
  const world = overLoopback(fault) ? ProxiedLoopback : Namespaces
  if (needs !== undefined && !(needs in world.prototype)) return 'this network cannot do it'
  if (values.tls && values.loopback && cuts(fault))
    return 'proxies cannot tell members apart with TLS'
  return fault.missing?.() ?? null
}

function print(result) {
  if (values.json) return process.stdout.write(`${JSON.stringify(result)}\n`)
  const { fault, overlap, sampled, acts, violations, lost, vacancy, terms, agreed } = result
  const numbers = [overlap, sampled, acts, violations, lost, vacancy, terms, agreed]
  const cells = numbers.map((x) => (x === null ? 'never' : String(Math.round(x))).padStart(9))
  const { limits, broken, late } = result
  const none = Number.isNaN(limits.vacancy) ? '' : `none ${limits.vacancy}, `
  const marks = [...(broken ? ['BROKEN'] : []), ...late.map((what) => `LATE: ${what}`)]
  const told = [`${none}agree ${limits.agreed}`, ...marks].join('  ')
  process.stdout.write(`${fault.padEnd(34)}${cells.join('')}  ${told}\n`)
}
