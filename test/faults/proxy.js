/*
 * Stands before the port of a member and forwards what arrives, as its faults say. Chance comes
 * from a seed. Who is behind a connection is in its first bytes, in clear.
 */
import { connect, createServer } from 'node:net'

const RECORDED = 50

class FaultyProxy {
  /** Members from whom, or to whom, nothing passes. */
  silentFrom = new Set()
  silentTo = new Set()
  /** The share of chunks that are corrupted, or forwarded twice. */
  corrupt = 0
  double = 0
  /** The first chunks of each connection. */
  sessions = []
  #server
  #pairs = new Set()
  #state

  constructor({ listen, target, names, seed = 1 }) {
    this.#state = seed >>> 0 || 1
    this.#server = createServer((near) => {
      near.on('error', () => near.destroy())
      const far = connect(target)
      far.on('error', () => far.destroy())
      const pair = { near, far, from: null }
      const recorded = []
      this.sessions.push(recorded)
      this.#pairs.add(pair)
      near.on('data', (bytes) => {
        pair.from ??= names.find((name) => bytes.includes(`\x06faults\x02${name}`)) ?? null
        if (recorded.length < RECORDED) recorded.push(Buffer.from(bytes))
        this.#forward(bytes, far, this.silentFrom.has(pair.from))
      })
      far.on('data', (bytes) => this.#forward(bytes, near, this.silentTo.has(pair.from)))
      near.on('close', () => far.destroy())
      far.on('close', () => {
        near.destroy()
        this.#pairs.delete(pair)
      })
    })
    this.#server.listen(listen)
  }

  close() {
    this.#server.close()
    for (const { near } of this.#pairs) near.destroy()
  }

  /** What is not forwarded is lost for good, so a healed connection would be out of step. */
  heal() {
    for (const { near, from } of this.#pairs)
      if (this.silentFrom.has(from) || this.silentTo.has(from)) near.destroy()
    this.silentFrom.clear()
    this.silentTo.clear()
    this.corrupt = 0
    this.double = 0
  }

  #forward(bytes, to, silent) {
    if (silent || to.destroyed) return
    if (this.#chance() < this.corrupt) bytes[Math.floor(this.#chance() * bytes.length)] ^= 0x55
    to.write(bytes)
    if (this.#chance() < this.double) to.write(bytes)
  }

  /** Xorshift: a number from 0 to 1. */
  #chance() {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x >>> 0
    return this.#state / 2 ** 32
  }
}

/** Members on loopback, each behind a proxy. */
export class ProxiedLoopback {
  resource = { host: '127.0.0.1', port: 0 }
  #first = 20_000 + Math.floor(Math.random() * 10_000)
  #proxies

  constructor(count, seed) {
    const names = Array.from({ length: count }, (_, i) => `m${i}`)
    this.#proxies = names.map((_, i) => {
      const [listen, target] = [this.#port(i), this.#port(i + count)]
      return new FaultyProxy({ listen, target, names, seed: seed + i })
    })
  }

  address(member) {
    return `127.0.0.1:${this.#port(member).port}`
  }

  listen(member) {
    return `127.0.0.1:${this.#port(member + this.#proxies.length).port}`
  }

  command(_member, program, args) {
    return [program, args]
  }

  /** A connection between two members passes the proxy of the one that was dialled. */
  cut(from, to) {
    this.#proxies[to].silentFrom.add(`m${from}`)
    this.#proxies[from].silentTo.add(`m${to}`)
  }

  /** What somebody has sent to this member over one connection. */
  session(member) {
    return Buffer.concat(this.#proxies[member].sessions.findLast(({ length }) => length > 5) ?? [])
  }

  spoil({ corrupt = 0, double = 0 }) {
    for (const proxy of this.#proxies) Object.assign(proxy, { corrupt, double })
  }

  heal() {
    for (const proxy of this.#proxies) proxy.heal()
  }

  close() {
    for (const proxy of this.#proxies) proxy.close()
  }

  #port(i) {
    return { host: '127.0.0.1', port: this.#first + i }
  }
}
