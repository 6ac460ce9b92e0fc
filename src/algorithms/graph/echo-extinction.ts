import { algorithm, maybe, message, type Net, nat, uid } from '../../core/index.ts'
import { worstMessages } from '../bounds.ts'

const TOKEN = message({ id: uid })
const LEADER = message({ id: uid })

/**
 * Chang 1982, the echo, with extinction. Every starter sends a wave through the network, which
 * comes back along the tree of its first arrivals; nodes leave a wave for one of a larger id and
 * take no part in smaller ones, so that only the largest starter's wave comes back entirely. A wave
 * is 2E messages, k starters send at most 2kE. Links need not keep the order of messages: a wave
 * uses each direction of a link once.
 */
export const echoExtinction = algorithm({
  name: 'echo-extinction',
  needs: { topology: 'any', ids: 'unique' },
  messages: { TOKEN, LEADER },
  announcement: 'LEADER',
  state: { wave: maybe(uid), parent: maybe(nat), awaited: nat },
  wakes: false,
  elects: 'another',

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

  theory: {
    authors: 'Chang 1982',
    texts: [],
    idea: 'A starter sends a token with its id to all neighbours. A node that meets a larger wave than its own joins it: the sender becomes its parent, and the token goes on to all other neighbours. Once a token of that wave has come from every neighbour, the node sends it to its parent. Tokens of smaller waves are swallowed. Whose wave comes back from every neighbour leads, and tells all by flooding.',
    because:
      'Nobody leaves the wave of the largest starter, so it reaches everybody and comes back. Any other wave never gets an answer from that starter, so it never comes back entirely. A wave crosses each link once in each direction.',
    breaks:
      'A crash: its neighbours wait for a token for ever. Two starters with the same id: their waves mix, and both may lead.',
    example: 'conclave run echo-extinction --topology grid:3x4 --wake 0,11',
    cost: '2E messages per starter at most',
    bounds: [
      worstMessages(
        '2E k (k the number of starters)',
        ({ links, starters }) => 2 * links * starters,
      ),
      { of: 'messages', kind: 'best', formula: '2E', value: ({ links }) => 2 * links },
      {
        of: 'time',
        kind: 'worst',
        formula: '2n - 2',
        value: ({ n }) => 2 * n - 2,
        when: ({ n, together, starters }) => n > 1 && (together || starters === 1),
        where: 'for n >= 2, when all start together or one alone',
      },
    ],
  },
})

function win(id: number, net: Net): void {
  net.lead()
  net.sendAll(LEADER, { id })
  net.stop()
}
