import { algorithm, uid } from '../../core/index.ts'
import { type InWave, wave, waveBounds } from './wave.ts'

const { messages, state, start, asked, answered, told, down, up, tree } = wave(uid, {
  own: (my: InWave<number>) => my.id,
  both: Math.max,
  conclude(my, net) {
    if (my.found === my.id) net.lead()
    else net.follow(my.found)
  },
})

/**
 * Vasudevan, Kurose and Towsley 2004, in the form of text 004. A source floods ELECTION, the first
 * sender becomes the parent, ACK carries the best key up the tree and LEADER goes down it. A wave
 * with a later number, or a higher source, extinguishes another. Whoever loses a link of the tree
 * or gets a new neighbour begins a new wave. 2(2E-(N-1)) messages and N-1 LEADER with one source.
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
  on: { ELECTION: asked, ACK: answered, LEADER: told },
  down,
  up,
  tree,

  theory: {
    authors: 'Vasudevan, Kurose and Towsley 2004',
    texts: ['004'],
    idea: 'A source asks all its neighbours with ELECTION. Whoever hears of it first takes the sender as its parent and asks its own neighbours; others who ask it get an empty ACK. With all answers in, a node tells its parent the best key it knows of, and the source sends the winner down the tree. A higher source, or a later wave, takes over the nodes of another.',
    because:
      'The parents form a tree that spans the component, and a node answers only after all whom it asked: so the source hears of everybody. Of several waves only the highest gets all its answers. Whoever loses a link of the tree or gets a new neighbour begins a later wave, so that the last wave has met no change and reaches all. Who joins a wave gives up office: a new leader finds no old one.',
    breaks:
      'Lost messages: the source waits for ever. A detector that is off: nobody begins a new wave when the leader dies. One that is wrong: a node taken for dead may lead beside the others.',
    example: 'conclave run wireless --topology grid:3x4 --crash 5@4 --cut 1-2@6..30',
    cost: 'ELECTION = ACK = 2E-(N-1), LEADER = N-1 with one source',
    bounds: waveBounds,
  },
})
