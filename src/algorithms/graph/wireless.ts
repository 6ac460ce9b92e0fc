import { algorithm, larger, type Uid, uid } from '../../core/index.ts'
import { type InWave, wave, waveBounds, waveDisplay, waveReasons } from './wave.ts'

const { messages, state, start, asked, answered, informed, down, up, tree } = wave(uid, {
  own: (my: InWave<Uid>) => my.id,
  both: larger,
  conclude(my, net) {
    if (my.found === my.id) net.lead()
    else net.follow(my.found)
  },
})

function waveReasonsOf() {
  const { asked, answered, informed } = waveReasons<Uid>((found, name) => name(found))
  return { ELECTION: asked, ACK: answered, LEADER: informed }
}

/**
 * Vasudevan, Kurose and Towsley 2004, in the form of Zambonelli (2023). A source floods ELECTION,
 * the first sender becomes the parent, ACK carries the best key up the tree, and LEADER announces
 * the winner down the tree. A wave with a later number, or a higher source, extinguishes another. A
 * node that loses a link of the tree or gets a new neighbour begins a new wave. 2(2E-(N-1))
 * messages and N-1 LEADER with one source.
 */
export const wireless = algorithm({
  name: 'wireless',
  needs: { topology: 'any', ids: 'unique', knows: ['liveness'] },
  messages: { ELECTION: messages.ASK, ACK: messages.ACK, LEADER: messages.TELL },
  announcement: 'LEADER',
  starters: 'first',
  lasting: true,
  state,
  wakes: false,

  start,
  on: { ELECTION: asked, ACK: answered, LEADER: informed },
  down,
  up,
  tree,
  display: {
    ...waveDisplay<Uid>('best so far', (found, name) => name(found)),
    decides: { ELECTION: 'source', ACK: 'found', LEADER: 'found' },
  },
  reasons: waveReasonsOf(),

  theory: {
    title: 'Wireless election',
    authors: 'Vasudevan, Kurose and Towsley 2004',
    also: ['Vasudevan-Kurose-Towsley'],
    texts: ['004'],
    idea: 'A source sends ELECTION to all its neighbours. A node that receives its first ELECTION takes the sender as its parent and asks its other neighbours; it answers later ELECTIONs with an empty ACK. When all answers have arrived, a node sends the best key of its subtree to its parent, and the source announces the winner down the tree. A higher source, or a later wave, takes over the nodes of another wave.',
    because:
      'The parents form a spanning tree of the component, and a node answers only after all nodes that it asked: so the source learns of all nodes. Of several waves only the highest gets all its answers. A node that loses a link of the tree or gets a new neighbour begins a later wave, so the last wave has met no change and reaches all nodes. A node that joins a wave stops leading: there is no old leader beside a new one.',
    breaks:
      'Message loss: the source waits forever. No failure detector: no node begins a new wave when the leader crashes. False suspicions: a suspected node may lead beside another leader.',
    example: 'conclave run wireless --topology grid:3x4 --crash 5@4 --cut 1-2@6..30',
    cost: 'ELECTION = ACK = 2E-(N-1), LEADER = N-1 with one source',
    bounds: waveBounds,
  },
})
