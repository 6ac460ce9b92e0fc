import type { Body } from '../../../core/index.ts'
import { campaign, isCurrent } from './candidate.ts'
import {
  half,
  isBeyond,
  LEARN,
  LEARNED,
  type LeaseNet,
  limitOf,
  type Me,
  WAIT,
} from './lease-state.ts'
import { answerPolls } from './voter.ts'

/** A voter without memory grants nothing as long as a promise of its own may be running. */
export function waitFor(my: Me, time: number, net: LeaseNet): void {
  my.learning = 'waiting'
  my.waited += time
  net.after(time, WAIT)
}

/** Only then it asks: a term granted meanwhile, with its old promise, is known to others by now. */
export function learn(my: Me, net: LeaseNet): void {
  my.learning = 'asking'
  my.number++
  my.answers = new Set()
  my.highest = 0
  net.sendAll(LEARN, { incarnation: net.incarnation, number: my.number })
  net.after(half(my), WAIT)
}

export function teach(my: Me, { incarnation, number }: Body<typeof LEARN>, net: LeaseNet): void {
  const { term } = my
  if (my.memory) net.send(net.from, LEARNED, { incarnation, number, term, limit: limitOf(my) })
}

/** A majority without this voter has a memory that includes what this one has forgotten. */
export function learned(my: Me, body: Body<typeof LEARNED>, net: LeaseNet): void {
  if (my.learning !== 'asking' || !isCurrent(my, body, net) || isBeyond(my, body.term)) return
  const longer = body.limit - my.waited
  if (longer > 0) waitFor(my, longer, net)
  else count(my, body.term, net)
}

function count(my: Me, term: number, net: LeaseNet): void {
  my.answers.add(net.from)
  my.highest = Math.max(my.highest, term)
  if (!net.majority(my.answers, false)) return
  my.term = Math.max(my.term, my.highest)
  my.memory = true
  my.learning = 'no'
  net.cancel(WAIT)
  answerPolls(my, net)
  campaign(my, net)
}
