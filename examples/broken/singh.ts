/**
 * Singh's algorithm with line 3 as Liu, Li and Huang print it, everything else repaired; n is a
 * power of 2. "if level <= n/k then send OWNER(j) to all nodes in R_j" is inverted: a candidate has
 * level 0 and so tells the nodes of its comb that it owns them before it has captured any. Another
 * candidate does not acknowledge that. Two candidates in one comb each claim the other, and both
 * wait forever: no leader is elected.
 *
 *   conclave check examples/broken/singh.ts --ids 1,2,3,4
 */
import {
  algorithm,
  ceilLog2,
  flag,
  type My,
  message,
  type Net,
  nat,
  oneOf,
  type Uid,
  uid,
} from 'conclave'

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
  stage: oneOf('captured', 'first', 'owning', 'second'),
  level: nat,
  step: nat,
  awaited: nat,
  closed: flag,
  owner: nat,
}
type Me = My<typeof needs, typeof state>
type Sense = Net<'n' | 'direction'>

/** The k of the text, and the places ahead of the other nodes of R_j. */
function spacing(n: number): number {
  return 2 ** (ceilLog2(n) - ceilLog2(ceilLog2(n)))
}

function comb(n: number): number[] {
  const teeth = Math.floor((n - 1) / spacing(n))
  return Array.from({ length: teeth }, (_, i) => (i + 1) * spacing(n))
}

/** Lines 2 to 7; right would be: while the level is below n/k - 1, capture; then own. */
function firstPhase(my: Me, net: Sense): void {
  const { level, id } = my
  if (level <= net.n / spacing(net.n)) own(my, net)
  else {
    my.stage = 'first'
    net.send(net.along(comb(net.n)[level]), CAPTURE1, { level, id })
  }
}

function own(my: Me, net: Sense): void {
  my.stage = 'owning'
  my.closed = true
  my.awaited = comb(net.n).length
  for (const away of comb(net.n)) net.send(net.along(away), OWNER, { away: net.n - away })
  if (my.awaited === 0) secondPhase(my, net)
}

/** Lines 28 to 31: the odd multiples of k/2^step; after the last step the candidate leads. */
function secondPhase(my: Me, net: Sense): void {
  my.stage = 'second'
  const width = spacing(net.n) / 2 ** ++my.step
  my.awaited = 2 ** (my.step - 1)
  if (width >= 1)
    for (let i = 0; i < my.awaited; i++)
      net.send(net.along((2 * i + 1) * width), CAPTURE2, { step: my.step, id: my.id })
  else {
    net.lead()
    net.sendAll(ELECTED, { id: my.id })
    net.stop()
  }
}

function answered(my: Me, net: Sense): void {
  if (my.stage === 'captured' || --my.awaited > 0) return
  if (my.stage === 'first') firstPhase(my, net)
  else secondPhase(my, net)
}

function stands(my: Me, mine: number, theirs: number, id: Uid): boolean {
  return my.stage !== 'captured' && (mine > theirs || (mine === theirs && my.id > id))
}

export const singh = algorithm({
  name: 'singh-line-3',
  needs,
  messages: { CAPTURE1, ACCEPT1, OWNER, ACK, CAPTURE2, INFORM, ACCEPT2, ELECTED },
  announcement: 'ELECTED',
  elects: 'another',
  state,
  wakes: false,

  start: firstPhase,

  on: {
    CAPTURE1(my, { level, id }, net) {
      if (my.closed || stands(my, my.level, level, id)) return
      net.send(net.from, ACCEPT1, { level: my.level })
      my.stage = 'captured'
      my.level = 0
    },
    ACCEPT1(my, { level }, net) {
      if (my.stage === 'first') my.level += level + 1
      my.awaited = 1
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
      const owner = net.along((net.places(net.from) + away) % net.n)
      net.send(owner, CAPTURE2, { step: my.step, id: my.id })
    },
    ACCEPT2: (my, _, net) => answered(my, net),
    ELECTED(_, { id }, net) {
      net.follow(id)
      net.stop()
    },
  },
})
