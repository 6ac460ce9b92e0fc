import type { Link } from '../../../core/index.ts'
import {
  half,
  isBeyond,
  type LeaseNet,
  type Me,
  NONCE,
  PROMISE,
  READY,
  type RequestKey,
} from './lease-state.ts'

/** Who asks for a grant, and for which; a null link is this node itself. */
export interface Candidacy {
  readonly link: Link | null
  readonly incarnation: string
  readonly term: number
  readonly length: number
}

export function isHolder(my: Me, link: Link | null, incarnation: string): boolean {
  return my.length > 0 && my.holder === link && my.holderIncarnation === incarnation
}

/** Whether a promise to this node would break no other. */
export function couldGrant(my: Me, link: Link | null, incarnation: string): boolean {
  return my.memory && (!my.promised || isHolder(my, link, incarnation))
}

/** Grants a request and returns true, or changes nothing. */
export function grants(
  my: Me,
  { link, incarnation, term, length }: Candidacy,
  net: LeaseNet,
): boolean {
  if (!couldGrant(my, link, incarnation)) return false
  const renews = term === my.term && length === my.length && isHolder(my, link, incarnation)
  if (!renews) {
    if (term <= my.term || isBeyond(my, term)) return false
    my.term = term
    my.holder = link
    my.holderIncarnation = incarnation
    my.length = length
  }
  promise(my, net)
  return true
}

export function promise(my: Me, net: LeaseNet): void {
  my.promised = true
  net.after(my.length, PROMISE)
}

export function answerPolls(my: Me, net: LeaseNet): void {
  for (const [link, request] of my.pending) {
    if (!couldGrant(my, link, request.incarnation)) continue
    my.pending.delete(link)
    net.send(link, READY, { ...request, term: my.term, nonce: nonceOf(my, net) })
  }
}

/** Whether this is no older than the last request of the same incarnation. */
export function isNew(my: Me, link: Link, request: RequestKey): boolean {
  const last = my.heard.get(link)
  if (last?.incarnation === request.incarnation && last.number > request.number) return false
  my.heard.set(link, request)
  return true
}

/** A nonce to be echoed within one lease: only a node that hears this one can. */
export function nonceOf(my: Me, net: LeaseNet): string {
  if (my.valid === 0) net.after(half(my), NONCE)
  my.valid = 2
  return `${net.incarnation}/${my.age}`
}

export function ageNonces(my: Me, net: LeaseNet): void {
  my.age++
  my.valid--
  if (my.valid > 0) net.after(half(my), NONCE)
}

export function isFresh(my: Me, echo: string, net: LeaseNet): boolean {
  return [my.age, my.age - 1].some((age) => echo === `${net.incarnation}/${age}`)
}
