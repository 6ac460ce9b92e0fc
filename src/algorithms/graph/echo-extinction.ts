import { algorithm, link, maybe, message, type Net, nat, type Uid, uid } from '../../core/index.ts'
import { upperBound, worstMessages } from '../bounds.ts'
import { followReason } from '../reasons.ts'

const TOKEN = message({ id: uid })
const LEADER = message({ id: uid })

/**
 * The echo algorithm (Chang 1982) with extinction. Every initiator sends a wave through the
 * network, which returns along the tree of first arrivals; nodes leave a wave for one of a larger
 * id and ignore smaller ones, so that only the wave of the largest initiator returns completely. A
 * wave takes 2E messages, k initiators send at most 2kE. Links need not be FIFO: a wave uses each
 * direction of a link once.
 */
export const echoExtinction = algorithm({
  name: 'echo-extinction',
  needs: { topology: 'any', ids: 'unique' },
  messages: { TOKEN, LEADER },
  announcement: 'LEADER',
  state: { wave: maybe(uid), parent: maybe(link), awaited: nat },
  wakes: false,
  elects: 'another',
  byAttribute: 'initiators',

  start(my, net) {
    my.wave = my.id
    my.awaited = net.degree
    net.sendAll(TOKEN, { id: my.id })
    if (net.degree === 0) win(my.id, net)
  },

  on: {
    TOKEN(my, { id }, net) {
      if (my.wave !== null && id < my.wave) return
      if (my.wave === null || id > my.wave) {
        my.wave = id
        my.parent = net.from
        my.awaited = net.degree
        net.sendOthers(TOKEN, { id })
      }
      my.awaited--
      if (my.awaited > 0) return
      if (id === my.id) win(id, net)
      else net.send(my.parent!, TOKEN, { id })
    },
    LEADER(_, { id }, net) {
      net.follow(id)
      net.sendOthers(LEADER, { id })
      net.stop()
    },
  },

  tree: ({ parent }) => (parent === null ? [] : [parent]),

  display: {
    active: ({ wave, id }) => wave === null || wave === id,
    group: { name: 'wave', of: ({ wave }, name) => (wave === null ? null : name(wave)) },
    badge: { name: 'answers awaited', of: ({ wave, awaited }) => (wave === null ? null : awaited) },
    edges: ({ parent }) => (parent === null ? [] : [[parent, 'tree']]),
    pointer: { name: 'parent', of: ({ parent }) => parent },
    decides: { TOKEN: 'id', LEADER: 'id' },
  },

  reasons: {
    TOKEN(my, { id }, name, { from, node }) {
      const { wave, parent } = my
      if (wave !== null && id < wave)
        return `swallows the wave of ${name(id)}, since ${name.order(id, wave)}`
      if (wave === null) return `joins the wave of ${name(id)}: ${node(from)} is its parent`
      if (id > wave) return `leaves its wave for that of ${name(id)}, since ${name.order(id, wave)}`
      if (my.awaited > 1) return `waits for ${my.awaited - 1} more`
      return id === my.id || parent === null
        ? 'becomes leader: its wave has come back from everywhere'
        : `has all answers and reports to its parent ${node(parent)}`
    },
    LEADER: followReason,
  },

  theory: {
    title: 'Echo with extinction',
    authors: 'Chang 1982',
    also: ['Extinction'],
    texts: [],
    idea: 'An initiator sends a token with its id to all neighbours. A node that receives the token of a larger wave than its own joins it: the sender becomes its parent, and the node sends the token to all other neighbours. When it has received a token of that wave from every neighbour, it sends one to its parent. Tokens of smaller waves are discarded. An initiator whose wave returns from every neighbour becomes leader and announces it by flooding.',
    because:
      'No node leaves the wave of the largest initiator, so it reaches all nodes and returns. No other wave gets an answer from that initiator, so no other returns completely. A wave crosses each link once in each direction.',
    breaks:
      'A crash: the neighbours wait forever for a token. Two initiators with the same id: their waves mix, and both may become leader.',
    example: 'conclave run echo-extinction --topology grid:3x4 --wake 0,11',
    cost: 'at most 2E messages per initiator',
    bounds: [
      upperBound(
        worstMessages(
          '2E k (k the number of initiators)',
          ({ links, starters }) => 2 * links * starters,
        ),
      ),
      { of: 'messages', kind: 'best', formula: '2E', value: ({ links }) => 2 * links },
      {
        of: 'time',
        kind: 'worst',
        formula: '2n - 2',
        value: ({ n }) => 2 * n - 2,
        when: ({ n, together, starters }) => n > 1 && (together || starters === 1),
        where: 'for n >= 2, when all nodes start together or one alone',
      },
    ],
  },
})

function win(id: Uid, net: Net): void {
  net.lead()
  net.sendAll(LEADER, { id })
  net.stop()
}
