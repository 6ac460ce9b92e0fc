/*
 * A network for processes on one machine: a namespace for each member, and a router between them in
 * which packets are dropped. Needs root, iproute2 and nftables. Everything is removed at the end.
 */
import { execFileSync } from 'node:child_process'

const PREFIX = `cv${process.pid}`
const PORT = 7070
const ROUTER = `${PREFIX}r`
/** The resource listens here, in the namespace of the router: no fault between members hides it. */
const ROUTER_ADDRESS = '10.77.0.1'

/** Whether this machine can make namespaces, and why not. */
export function missingForNamespaces() {
  if (process.getuid?.() !== 0) return 'root is needed'
  for (const [program, args] of [
    ['ip', ['netns', 'list']],
    ['nft', ['--version']],
  ])
    try {
      execFileSync(program, args, { stdio: 'pipe' })
    } catch {
      return `${program} is missing`
    }
  return null
}

export class Namespaces {
  resource = { host: ROUTER_ADDRESS, port: 7071 }
  #count

  constructor(count) {
    this.#count = count
    try {
      this.#make()
    } catch (error) {
      this.close()
      throw error
    }
  }

  #make() {
    ip('netns', 'add', ROUTER)
    this.#inside(ROUTER, 'ip', 'link', 'set', 'lo', 'up')
    this.#inside(ROUTER, 'ip', 'addr', 'add', `${ROUTER_ADDRESS}/32`, 'dev', 'lo')
    this.#inside(ROUTER, 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
    for (let i = 0; i < this.#count; i++) {
      const [here, there] = [`${PREFIX}m${i}`, `${PREFIX}v${i}`]
      ip('netns', 'add', here)
      const inside = ['name', 'eth0', 'netns', here]
      ip('link', 'add', there, 'netns', ROUTER, 'type', 'veth', 'peer', ...inside)
      this.#inside(ROUTER, 'ip', 'addr', 'add', `10.77.${i + 1}.1/24`, 'dev', there)
      this.#inside(ROUTER, 'ip', 'link', 'set', there, 'up')
      this.#inside(here, 'ip', 'link', 'set', 'lo', 'up')
      for (const host of [2, 3])
        this.#inside(here, 'ip', 'addr', 'add', `10.77.${i + 1}.${host}/24`, 'dev', 'eth0')
      this.#inside(here, 'ip', 'link', 'set', 'eth0', 'up')
      this.#inside(here, 'ip', 'route', 'add', 'default', 'via', `10.77.${i + 1}.1`)
    }
    this.#nft('add', 'table', 'ip', 'faults')
    this.#nft('add', 'chain', 'ip', 'faults', 'wire', '{ type filter hook forward priority 0; }')
  }

  /** The command that runs a program in the namespace of a member, or of the router. */
  command(member, program, args) {
    const name = member === null ? ROUTER : `${PREFIX}m${member}`
    return ['ip', ['netns', 'exec', name, program, ...args]]
  }

  /** `other`: the second address of the same machine, for one that comes back with another. */
  address(member, other = false) {
    return `10.77.${member + 1}.${other ? 3 : 2}:${PORT}`
  }

  /** Drops everything that one member sends to another. */
  cut(from, to) {
    this.#drop('ip', 'saddr', `10.77.${from + 1}.0/24`, 'ip', 'daddr', `10.77.${to + 1}.0/24`)
  }

  /** Drops this share of all packets. */
  lose(percent) {
    this.#drop('numgen', 'random', 'mod', '100', '<', String(percent))
  }

  heal() {
    this.#nft('flush', 'chain', 'ip', 'faults', 'wire')
  }

  close() {
    const existing = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })
    for (const [, name] of existing.matchAll(/^(\S+)/gm))
      if (name.startsWith(PREFIX)) ip('netns', 'del', name)
  }

  #drop(...match) {
    this.#nft('add', 'rule', 'ip', 'faults', 'wire', ...match, 'drop')
  }

  #nft(...args) {
    this.#inside(ROUTER, 'nft', ...args)
  }

  #inside(name, ...command) {
    ip('netns', 'exec', name, ...command)
  }
}

function ip(...args) {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
