import {
  algorithm,
  ceilLog2,
  flag,
  harmonic,
  type My,
  message,
  type Net,
  nat,
  oneOf,
  type ShownId,
  type Uid,
  uid,
} from '../../core/index.ts'
import { upperBound, worstMessages } from '../bounds.ts'
import { followReason, rankOrder } from '../reasons.ts'

const CAPTURE1 = message({ level: nat, id: uid })
const ACCEPT1 = message({ level: nat })
const OWNER = message({ away: nat })
const ACK = message({})
const CAPTURE2 = message({ step: nat, id: uid })
const INFORM = message({ away: nat })
const ACCEPT2 = message({})
const ELECTED = message({ id: uid })

const needs = { topology: 'complete', ids: 'unique', knows: ['n', 'direction'] } as const
const state = {
  /** Captured, or the stage of a candidate. */
  stage: oneOf('captured', 'ahead', 'behind', 'owning', 'second'),
  /** Nodes captured in the first phase. */
  level: nat,
  step: nat,
  /** Answers that a candidate still waits for. */
  awaited: nat,
  /** The first phase is over for this node. */
  closed: flag,
  /** Places along the cycle to the owner; 0 if there is none. */
  owner: nat,
}
const params = {
  variant: {
    says: 'forward: capture only nodes ahead; two-sided: also nodes behind where k does not divide n',
    choices: ['forward', 'two-sided'],
    value: () => 'forward',
  },
} as const
type Me = My<typeof needs, typeof state, typeof params>
type Sense = Net<'n' | 'direction'>

/** The k of Singh: a candidate first captures every k-th node ahead, the teeth of its comb. */
function spacing(n: number): number {
  return 2 ** (ceilLog2(n) - ceilLog2(ceilLog2(n)))
}

function teeth(n: number): number {
  return Math.floor((n - 1) / spacing(n))
}

function comb(n: number): number[] {
  return Array.from({ length: teeth(n) }, (_, i) => (i + 1) * spacing(n))
}

/** If k divides n, the nodes behind are those ahead. */
function twoSided({ variant }: Me, n: number): boolean {
  return variant === 'two-sided' && n % spacing(n) > 0
}

function capture(my: Me, net: Sense, places: readonly number[]): void {
  const { level, step, id } = my
  my.awaited = places.length
  for (const link of places.map((away) => net.along(away)))
    if (step === 0) net.send(link, CAPTURE1, { level, id })
    else net.send(link, CAPTURE2, { step, id })
}

function captureAhead(my: Me, net: Sense): void {
  my.stage = 'ahead'
  if (my.level < teeth(net.n)) capture(my, net, [comb(net.n)[my.level]])
  else captureBehind(my, net)
}

function captureBehind(my: Me, net: Sense): void {
  my.stage = 'behind'
  const behind = comb(net.n).map((away) => net.n - away)
  if (twoSided(my, net.n)) capture(my, net, behind)
  else own(my, net)
}

function own(my: Me, net: Sense): void {
  my.stage = 'owning'
  my.closed = true
  my.awaited = teeth(net.n)
  for (const away of comb(net.n)) net.send(net.along(away), OWNER, { away: net.n - away })
  if (my.awaited === 0) captureOwners(my, net)
}

/** One step of the second phase; after the last one the candidate leads. */
function captureOwners(my: Me, net: Sense): void {
  my.stage = 'second'
  const width = spacing(net.n) / 2 ** ++my.step
  const ahead = Array.from({ length: 2 ** (my.step - 1) }, (_, i) => (2 * i + 1) * width)
  const behind = ahead.map((away) => net.n - away).filter((away) => away % spacing(net.n) > 0)
  if (width >= 1) capture(my, net, twoSided(my, net.n) ? [...ahead, ...behind] : ahead)
  else win(my.id, net)
}

function win(id: Uid, net: Sense): void {
  net.lead()
  net.sendAll(ELECTED, { id })
  net.stop()
}

const next = { ahead: captureAhead, behind: own, owning: captureOwners, second: captureOwners }

function answered(my: Me, net: Sense): void {
  if (my.stage !== 'captured' && --my.awaited === 0) next[my.stage](my, net)
}

/** Whether a candidate at this stage withstands another. */
function stands(my: Me, mine: number, theirs: number, id: Uid): boolean {
  return my.stage !== 'captured' && (mine > theirs || (mine === theirs && my.id > id))
}

function stepOrder(my: Me, step: number, id: Uid, name: ShownId): string {
  return step === my.step ? name.order(id, my.id) : `step ${step} < ${my.step}`
}

/**
 * Singh 1997, after Liu, Li and Huang with corrections; for any n. With sense of direction a
 * candidate need not capture a majority. First it captures every k-th node ahead, one by one, and
 * becomes their owner; then, in log2 k steps, the k - 1 nodes next ahead, or the owners of these. A
 * single candidate sends 4S + 2(k-1) messages in 2S + 2 + 2 log2 k time units, where
 * k = 2^ceil(log2 n) / 2^ceil(log2 log2 n) and S = floor((n-1)/k).
 */
export const singh = algorithm({
  name: 'singh',
  needs,
  messages: { CAPTURE1, ACCEPT1, OWNER, ACK, CAPTURE2, INFORM, ACCEPT2, ELECTED },
  announcement: 'ELECTED',
  elects: 'another',
  params,
  state,
  wakes: false,

  start: captureAhead,

  on: {
    CAPTURE1(my, { level, id }, net) {
      if (my.closed || stands(my, my.level, level, id)) return
      net.send(net.from, ACCEPT1, { level: my.level })
      my.stage = 'captured'
      my.level = 0
    },
    ACCEPT1(my, { level }, net) {
      if (my.stage === 'ahead') my.level += level + 1
      answered(my, net)
    },
    OWNER(my, { away }, net) {
      if (my.closed) return
      my.closed = true
      my.owner = away
      net.send(net.from, ACK, {})
    },
    ACK: (my, _, net) => answered(my, net),
    CAPTURE2(my, { step, id }, net) {
      if (stands(my, my.step, step, id)) return
      my.stage = 'captured'
      my.closed = true
      if (my.owner === 0) net.send(net.from, ACCEPT2, {})
      else net.send(net.from, INFORM, { away: my.owner })
    },
    INFORM(my, { away }, net) {
      if (my.stage === 'captured') return
      const places = (net.places(net.from) + away) % net.n
      // The node was captured by this one, before it crashed and recovered.
      if (places === 0) return answered(my, net)
      net.send(net.along(places), CAPTURE2, { step: my.step, id: my.id })
    },
    ACCEPT2: (my, _, net) => answered(my, net),
    ELECTED(_, { id }, net) {
      net.follow(id)
      net.stop()
    },
  },

  display: {
    active: (my) => my.stage !== 'captured',
    badge: { name: 'level', of: (my) => (my.stage === 'captured' ? null : my.level + my.step) },
    // A link leads as many places along the cycle as its number says.
    pointer: {
      name: 'captured by',
      of: (my, _, { captor }) =>
        my.stage === 'captured' ? Number(captor ?? 0) || my.owner || null : null,
    },
    decides: { CAPTURE1: 'level', CAPTURE2: 'step' },
    seen: {
      CAPTURE1: (my, { level, id }, _, { from }) =>
        my.closed || stands(my, my.level, level, id) ? null : { captor: from },
      CAPTURE2: (my, { step, id }, _, { from }) =>
        stands(my, my.step, step, id) ? null : { captor: from },
    },
  },

  reasons: {
    CAPTURE1(my, { level, id }, name) {
      if (my.closed) return `ignores ${name(id)}: the first phase is over for it`
      const order = rankOrder(name, [level, id], [my.level, my.id])
      if (stands(my, my.level, level, id))
        return `swallows the challenge of ${name(id)}, since ${order}`
      return my.stage === 'captured'
        ? `is captured by ${name(id)}`
        : `gives up and is captured by ${name(id)}, since ${order}`
    },
    ACCEPT1: (my, { level }, _, { from, node }) =>
      my.stage === 'captured'
        ? 'does not compete any more'
        : `captures ${node(from)}${level > 0 ? ` with the ${level} that it had captured` : ''}`,
    OWNER: (my, _, __, { from, node }) =>
      my.closed ? 'has an owner, or needs none' : `takes ${node(from)} as its owner`,
    ACK: (my, _, __, { from, node }) =>
      my.stage === 'captured' ? 'does not compete any more' : `owns ${node(from)}`,
    CAPTURE2(my, { step, id }, name, { node }) {
      if (stands(my, my.step, step, id))
        return `swallows the challenge of ${name(id)}, since ${stepOrder(my, step, id, name)}`
      return my.owner === 0
        ? `is captured by ${name(id)}`
        : `sends ${name(id)} on to its owner ${node(my.owner)}`
    },
    INFORM: (my, { away }, _, { from, node, n }) =>
      my.stage === 'captured'
        ? 'does not compete any more'
        : (from + away) % n === 0
          ? 'is the owner itself'
          : `challenges the owner ${node((from + away) % n)} instead`,
    ACCEPT2: (my, _, __, { from, node }) =>
      my.stage === 'captured' ? 'does not compete any more' : `captures ${node(from)}`,
    ELECTED: followReason,
  },

  theory: {
    title: 'Singh',
    authors: 'Singh 1997',
    texts: ['003'],
    idea: 'Let k be about n / log2 n and S = floor((n-1)/k). A candidate captures the S nodes k, 2k, .. positions ahead one by one; the higher (level, id) wins, and a captured candidate hands over its level. Then it notifies them that it is their owner. In step s of the second phase it captures the nodes at the odd multiples of k/2^s, below k; a node with an owner names it, and the owner must be captured instead. After log2 k steps the candidate becomes leader.',
    because:
      'Any k consecutive positions contain an owner or one of its captured nodes. So of two owners one meets the other, or a node of the other, in its second phase: either it captures the other, or the node was captured before it got an owner. No node refuses the highest (level, id), nor later the highest (step, id). In the forward variant at most n/(l+1) candidates reach level l; at most 2k/2^(s-1) reach step s, half as many if k divides n.',
    breaks:
      'Links without sense of direction. The code as printed by Liu, Li and Huang: line 3 is inverted, a node sends to itself, and the leader is not announced. OWNER to both sides in the two-sided variant: two owners wait for each other forever.',
    example: 'conclave run singh -n 16 --wake 0',
    cost: '4S + 2(k-1) messages for one initiator, about 6n for many',
    bounds: [
      {
        ...upperBound(
          worstMessages(
            '2n H_S + 2n + 4k log2 k',
            ({ n }) => 2 * n * harmonic(teeth(n)) + 2 * n + 4 * secondPhase(n),
          ),
        ),
        when: ({ n }) => n % spacing(n) === 0,
        where: 'if k divides n, as for powers of two',
      },
      {
        ...upperBound(
          worstMessages(
            '4nS + 2n + 16k log2 k',
            ({ n }) => 4 * n * teeth(n) + 2 * n + 16 * secondPhase(n),
          ),
        ),
        when: ({ n }) => n % spacing(n) > 0,
        where: 'for other n, in both variants',
      },
      {
        of: 'messages',
        kind: 'lower',
        formula: 'n',
        value: ({ n }) => n,
        where: 'up to a constant: every node must be informed',
      },
      {
        of: 'time',
        kind: 'upper',
        formula: '2S + 4 + 2 log2 k',
        value: ({ n }) => 2 * teeth(n) + 4 + 2 * ceilLog2(spacing(n)),
        when: ({ starters }) => starters === 1,
        where: 'when one node starts; forward needs 2 less',
      },
    ],
  },
})

/** Nodes asked in a step, times the steps. */
function secondPhase(n: number): number {
  return spacing(n) * ceilLog2(spacing(n))
}
