/*
 * A small explorer of ring protocols, written for comparison: it shares no code with the checker,
 * nor with the language, whose words it defines by itself. Only fifo links, no faults, no timers.
 */

interface Body {
  readonly [field: string]: unknown
}

interface Sent {
  readonly type: string
  readonly body: Body
}

interface NodeState {
  id: number
  status: 'asleep' | 'unknown' | 'leader' | 'lost'
  leader: number | null
  stopped: boolean
  [field: string]: unknown
}

interface Net {
  readonly from: number
  readonly onward: number
  send(link: number, message: unknown, body: Body): void
  sendAll(message: unknown, body: Body): void
  lead(): void
  follow(id: number): void
  stop(): void
}

export interface RingProtocol {
  readonly messages: Readonly<Record<string, unknown>>
  readonly state: Readonly<Record<string, () => unknown>>
  readonly wakes: boolean
  readonly problem: { readonly properties: readonly RingProperty[] }
  start(my: NodeState, net: Net): void
  readonly on: Readonly<Record<string, (my: NodeState, body: Body, net: Net) => void>>
}

interface RingProperty {
  readonly name: string
  readonly when: string
  broken(global: object): string | null
}

const [LEFT, RIGHT] = [0, 1]

/** Reads the source of a definition with words of its own. */
export function ringProtocol(source: string): RingProtocol {
  const body = source
    .replace(/^import .*$/m, '')
    .replace('export default algorithm(', 'return algorithm(')
  const words = {
    algorithm: (definition: RingProtocol) => definition,
    message: () => ({}),
    uid: () => 0,
    nat: () => 0,
    flag: () => false,
    maybe: () => () => null,
    set: () => () => new Set(),
    left: LEFT,
    right: RIGHT,
  }
  return new Function(...Object.keys(words), body)(...Object.values(words))
}

function copied(node: NodeState): NodeState {
  const entries = Object.entries(node).map(([field, value]) => [
    field,
    value instanceof Set ? new Set(value) : value,
  ])
  return Object.fromEntries(entries) as NodeState
}

/** Everything at one moment: the nodes, and the bodies on each directed link. */
interface Global {
  readonly nodes: readonly NodeState[]
  /** `links[2 * node + link]`: what the node has sent over its link and has not arrived. */
  readonly links: readonly (readonly Sent[])[]
}

/**
 * The names of the properties that some interleaving violates with these ids, by position. Any
 * sleeping node may start at any time; the first message of a link may arrive at any time.
 */
export function violatedWith(protocol: RingProtocol, ids: readonly number[], most = 20_000) {
  const n = ids.length
  const violated = new Set<string>()
  const fresh = ids.map((id): NodeState => {
    const own = Object.entries(protocol.state).map(([field, start]) => [field, start()])
    return { ...Object.fromEntries(own), id, status: 'asleep', leader: null, stopped: false }
  })
  const seen = new Set<string>()
  const open: Global[] = []
  const visit = (global: Global) => {
    const key = JSON.stringify(global, (_, value) =>
      value instanceof Set ? [...value].sort() : value,
    )
    if (seen.has(key)) return
    seen.add(key)
    judge(global)
    open.push(global)
  }
  visit({ nodes: fresh, links: Array.from({ length: 2 * n }, () => []) })
  for (let global = open.pop(); global !== undefined; global = open.pop()) {
    if (seen.size > most) throw new Error(`more than ${most} states`)
    for (let node = 0; node < n; node++)
      if (global.nodes[node].status === 'asleep') visit(started(global, node))
    for (let link = 0; link < 2 * n; link++)
      if (global.links[link].length > 0) visit(delivered(global, link))
  }
  return { violated, states: seen.size }

  /** Messages are told apart by their identity. */
  function typeOf(message: unknown): string {
    const entry = Object.entries(protocol.messages).find(([, one]) => one === message)
    if (entry === undefined) throw new Error('a message that is not declared')
    return entry[0]
  }

  function judge({ nodes, links }: Global): void {
    const leaders = [...nodes.keys()].filter((node) => nodes[node].status === 'leader')
    const awake = nodes.some(({ status }) => status !== 'asleep')
    const over = awake && links.every(({ length }) => length === 0)
    for (const { name, when, broken } of protocol.problem.properties)
      if (when === 'always' || over)
        if (broken({ n, leaders, state: (node: number) => nodes[node] }) !== null)
          violated.add(name)
  }

  function started(global: Global, node: number): Global {
    return changed(global, node, -1, (my, net) => {
      my.status = 'unknown'
      protocol.start(my, net)
    })
  }

  function delivered({ nodes, links }: Global, link: number): Global {
    const sender = Math.floor(link / 2)
    const over = link % 2
    const receiver = over === LEFT ? (sender + 1) % n : (sender + n - 1) % n
    const [{ type, body }, ...rest] = links[link]
    const left = { nodes, links: links.map((bodies, i) => (i === link ? rest : bodies)) }
    return changed(left, receiver, over === LEFT ? RIGHT : LEFT, (my, net) => {
      if (my.status === 'asleep') {
        my.status = 'unknown'
        if (protocol.wakes) protocol.start(my, net)
      }
      if (!my.stopped) protocol.on[type](my, { ...body }, net)
    })
  }

  function changed(
    { nodes, links }: Global,
    node: number,
    from: number,
    run: (my: NodeState, net: Net) => void,
  ): Global {
    const my = copied(nodes[node])
    const after = links.map((bodies) => [...bodies])
    const send = (link: number, message: unknown, body: Body) =>
      after[2 * node + link].push({ type: typeOf(message), body: { ...body } })
    run(my, {
      from,
      onward: from === LEFT ? RIGHT : LEFT,
      send,
      sendAll(message, body) {
        for (const link of [LEFT, RIGHT]) send(link, message, body)
      },
      lead() {
        if (my.status !== 'leader') Object.assign(my, { status: 'leader', leader: my.id })
      },
      follow: (leader) => Object.assign(my, { status: 'lost', leader }),
      stop: () => Object.assign(my, { stopped: true }),
    })
    return { nodes: nodes.map((other, i) => (i === node ? my : other)), links: after }
  }
}
