import { algorithm, flag, larger, left, message, right, uid } from '../../core/index.ts'
import { asynchronousRings, timeTogether, worstMessages } from '../bounds.ts'
import { announcementReason } from '../reasons.ts'

const TOKEN = message({ id: uid })
const LEADER = message({ id: uid })

/**
 * Le Lann 1977, the first election: an initiator sends its id once round the ring, and every node
 * passes every id on. Who has its own id back has seen those of all initiators, and leads if its
 * own is the largest of them. Exactly n messages for each initiator.
 */
export const leLann = algorithm({
  name: 'le-lann',
  needs: { topology: 'ring', ids: 'unique', order: 'fifo' },
  messages: { TOKEN, LEADER },
  announcement: 'LEADER',
  state: { candidate: flag, best: uid },
  wakes: false,
  elects: 'another',
  byAttribute: 'initiators',

  start(my, net) {
    my.candidate = true
    my.best = my.id
    net.send(left, TOKEN, { id: my.id })
  },

  on: {
    TOKEN(my, { id }, net) {
      if (!my.candidate || id !== my.id) {
        my.best = larger(my.best, id)
        net.send(left, TOKEN, { id })
      } else if (my.best === my.id) {
        net.lead()
        net.send(left, LEADER, { id })
      }
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.send(left, LEADER, { id })
      }
      net.stop()
    },
  },

  invariant: ({ nodes, each }) => ({
    'TOKEN travels left': each(TOKEN).and(0, (m) => m.from === right),
    'only candidates have tokens': each(TOKEN).and(1, (m, a) => m.id !== a.id || a.candidate),
    'who has passed on a token is awake and knows it': each(TOKEN).and(
      2,
      (m, owner, b, ring) =>
        m.id !== owner.id ||
        !ring.inside(owner, b, m.to) ||
        (b.status !== 'asleep' && b.best >= m.id),
    ),
    'a token stays behind those of the candidates that it has passed': each(TOKEN, TOKEN).and(
      2,
      (m, other, owner, b, ring) =>
        m.id !== owner.id ||
        !ring.inside(owner, b, m.to) ||
        other.id !== b.id ||
        ring.inside(b, owner, other.to) ||
        ring.ahead(other, m) ||
        (m.to !== owner && (other.to === owner || ring.inside(m.to, other.to, owner))),
    ),
    'all know the leader': nodes(
      2,
      (a, b) => a.status !== 'leader' || (b.status !== 'asleep' && b.best >= a.id),
    ),
    'no token is larger than the leader': each(TOKEN).and(
      2,
      (m, owner, a) => a.status !== 'leader' || m.id !== owner.id || m.id <= a.id,
    ),
    'LEADER names a leader': each(LEADER).and(1, (m, a) => m.id !== a.id || a.status === 'leader'),
  }),

  display: {
    active: (my) => my.candidate && my.best === my.id,
    badge: {
      name: 'largest id so far',
      of: (my, name, { heard }) => (my.candidate || heard ? name(my.best) : null),
    },
    decides: { TOKEN: 'id', LEADER: 'id' },
    seen: { TOKEN: () => ({ heard: true }) },
  },

  reasons: {
    TOKEN(my, { id }, name) {
      if (!my.candidate) return `passes on ${name(id)}: it is no candidate`
      if (id !== my.id) return `notes ${name(id)} and passes it on`
      return my.best === my.id
        ? `becomes leader: it has seen all candidates, and ${name(id)} is the largest`
        : `waits for ${name(my.best)}: it has seen all candidates, and its own id is smaller`
    },
    LEADER: announcementReason,
  },

  theory: {
    title: 'Le Lann',
    also: ['All the Way'],
    authors: 'Le Lann 1977',
    texts: [],
    idea: 'An initiator sends its id round the ring, and all nodes pass all ids on, whatever they are. When its own id is back, an initiator has seen the ids of all initiators; the one with the largest becomes leader and announces it.',
    because:
      'An id reaches every other initiator after that one has sent its own, and on FIFO links it stays behind it. So it returns after the ids of all other initiators have passed its owner, and exactly one owner has seen none that is larger.',
    breaks:
      'Links that are not FIFO: an id may come home before it should have seen a larger one, and two nodes lead. Equal ids: a node takes the token of another for its own. An undetected crash: no message passes the crashed node.',
    example: 'conclave run le-lann --ids 3,2,7,8,5,4,1,6 --wake 0,4 --timing sync',
    cost: 'k n messages for k initiators, n^2 if all start',
    bounds: [
      worstMessages('k n (k initiators)', ({ n, starters }) => n * starters),
      { of: 'messages', kind: 'best', formula: 'n', value: ({ n }) => n },
      {
        of: 'messages',
        kind: 'best',
        formula: 'n^2',
        value: ({ n }) => n * n,
        when: ({ together }) => together,
        where: 'when all start together',
      },
      asynchronousRings,
      timeTogether('n', ({ n }) => n),
      { of: 'time', kind: 'upper', formula: '2n-1', value: ({ n }) => 2 * n - 1 },
    ],
  },
})
