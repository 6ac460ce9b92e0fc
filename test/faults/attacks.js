#!/usr/bin/env node
/*
 * npm run faults:attacks [-- seconds [attack]]: attacks on the leader of three members by somebody
 * without secret or certificate, over loopback, where no rate is limited by address. Prints whether
 * leases were touched, how much more memory the attacked member has than before, the same of
 * another member, and the lines of its log in the busiest second.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificates } from './certificates.js'
import { Cluster, now, sleep } from './cluster.js'
import { overlap, vacancy, validity } from './history.js'
import { ProxiedLoopback } from './proxy.js'

const SECONDS = Number(process.argv[2] ?? 15)
const ALL = 'garbage idle flood forged replay'
/** The first row shows what the machine does by itself. */
const KINDS = ['no attack', ...ALL.split(' '), ALL]
const NAMES = ['m0', 'm1', 'm2']
const MEGABYTE = 1024
/** Made first: the proxies are in this process, and must not stand still during an attack. */
const FOREIGN = certificates(NAMES)

async function attacked(kinds, tls) {
  const lines = []
  const cluster = new Cluster(new ProxiedLoopback(3, 1), {
    ...{ members: 3, lease: 1000, options: { fast: false } },
    ...(tls ? { tls } : { secret: 'a secret for attacks' }),
    logged: (member, text) => lines.push({ member, text, at: now() }),
  })
  try {
    await cluster.start()
    await sleep(3000)
    const { leader } = cluster
    const other = (leader + 1) % 3
    const begun = now()
    const before = [leader, other].map((i) => rss(cluster.pid(i)))
    let growth = [0, 0]
    let late = 0
    cluster.flood(leader, SECONDS * 1000, kinds, filesOf(cluster, leader, tls))
    while (now() < begun + SECONDS * 1000) {
      const slept = now()
      await sleep(100)
      late = Math.max(late, now() - slept - 100)
      const at = [leader, other].map((i) => rss(cluster.pid(i)))
      growth = growth.map((most, k) => Math.max(most, at[k] - before[k]))
    }
    await sleep(1000)
    const intervals = cluster.lines.map((all, i) => validity(all, cluster.died[i]))
    const during = intervals.flat().filter(({ to }) => to > begun)
    const own = lines.filter(({ member, at }) => member === leader && at > begun)
    const ends = lines.filter(({ text, at }) => at > begun && text.includes('"deposed"'))
    return {
      late,
      ends: ends.map(
        ({ member, text, at }) => `${NAMES[member]} after ${(at - begun).toFixed()} ms: ${text}`,
      ),
      terms: new Set(during.map(({ term }) => term)).size,
      two: overlap(intervals),
      none: vacancy(intervals, begun, now() - 500).longest,
      growth: growth.map((kilobytes) => kilobytes / MEGABYTE),
      linesInASecond: busiest(own.map(({ at }) => at)),
    }
  } finally {
    await cluster.stop()
  }
}

function filesOf(cluster, leader, tls) {
  const session = join(cluster.folder, 'session')
  const recorded = cluster.world.session(leader)
  writeFileSync(session, recorded)
  if (!tls) return recorded.length > 0 ? { session } : {}
  const foreign = join(cluster.folder, 'foreign')
  writeFileSync(foreign, JSON.stringify(FOREIGN(NAMES[(leader + 1) % 3])))
  return { session, foreign }
}

function rss(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1])
}

function busiest(times) {
  return Math.max(0, ...times.map((t) => times.filter((at) => at >= t && at < t + 1000).length))
}

const TITLES = ['terms', 'two ms', 'none ms', 'MB', 'MB other', 'lines/s']
process.stdout.write(`${'attack'.padEnd(40)}${TITLES.map((t) => t.padStart(9)).join('')}\n`)
for (const tls of [undefined, certificates(NAMES)])
  for (const kinds of KINDS) {
    const name = `${tls ? 'TLS' : 'secret'} ${kinds}`
    if (!name.includes(process.argv[3] ?? '')) continue
    const { terms, two, none, growth, linesInASecond, ends, late } = await attacked(kinds, tls)
    const cells = [terms, two, none, ...growth, linesInASecond].map((x) => x.toFixed(0).padStart(9))
    process.stdout.write(`${name.padEnd(40)}${cells.join('')}\n`)
    if (terms === 1 && two === 0) continue
    process.exitCode = 1
    // The proxies are in this process: where it is late, renewals are.
    for (const end of [...ends, `the proxies were late by up to ${late.toFixed()} ms`])
      process.stdout.write(`  ${end}\n`)
  }
