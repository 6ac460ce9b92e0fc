import { compareVersions } from './configuration.ts'
import type { MembershipAnswer } from './gathering.ts'
import type { Membership } from './membership.ts'
import type { MembershipMessageOf } from './messages.ts'

/** A question to a member. */
export type MembershipQuestion = MembershipMessageOf<
  'query' | 'read' | 'propose' | 'floors' | 'mark'
>

/** What a member answers to others; null where it must not answer. Its disk is written first. */
export async function answerTo(
  membership: Membership,
  question: MembershipQuestion,
): Promise<MembershipAnswer | null> {
  switch (question.type) {
    case 'query':
      return facts(membership, question)
    case 'read':
      return read(membership, question)
    case 'propose':
      return propose(membership, question)
    case 'floors':
      return floors(membership, question)
    case 'mark': {
      const problem = await membership.mark(question.configuration)
      const granted = problem === ''
      return { type: 'marked', seq: question.seq, granted, limit: membership.times.limit, problem }
    }
  }
}

function facts(
  membership: Membership,
  { seq }: MembershipMessageOf<'query'>,
): MembershipMessageOf<'facts'> {
  const { store, standing, options } = membership
  const { configuration, promised } = store.record
  return {
    type: 'facts',
    seq,
    memory: membership.remembers,
    store: store.id,
    mark: configuration?.mark ?? store.marked?.mark ?? '',
    bootstrap: standing === 'bootstrapping',
    given: options.members,
    promised,
    limit: membership.times.limit,
    terms: membership.highestTerms(),
    configuration,
  }
}

/** A voter promises a new leader to refuse older ones. */
async function read(
  membership: Membership,
  { seq, term }: MembershipMessageOf<'read'>,
): Promise<MembershipMessageOf<'promise'> | null> {
  if (!membership.mayGrant()) return null
  const { store } = membership
  const granted = term >= store.record.promised
  if (term > store.record.promised) await store.write({ promised: term })
  const { promised, configuration } = store.record
  const { limit } = membership.times
  return { type: 'promise', seq, granted, promised, limit, configuration: configuration! }
}

/**
 * Any newer configuration is taken, since it may be the only one that others have; but it is
 * accepted only if no newer leader has got a promise. Only what is accepted counts for the leader.
 */
async function propose(
  membership: Membership,
  { seq, configuration }: MembershipMessageOf<'propose'>,
): Promise<MembershipMessageOf<'accepted'> | null> {
  const { term } = configuration.version
  const { store } = membership
  await membership.takeNow(configuration)
  if (!membership.mayGrant()) return null
  if (term > store.record.promised) await store.write({ promised: term })
  const { promised } = store.record
  const has = compareVersions(configuration.version, membership.version) === 0
  const granted = has && term >= promised && configuration.mark === membership.configuration?.mark
  return { type: 'accepted', seq, granted, promised, limit: membership.times.limit }
}

function floors(
  membership: Membership,
  { seq, version }: MembershipMessageOf<'floors'>,
): MembershipMessageOf<'terms'> {
  const granted = membership.mayGrant() && compareVersions(version, membership.version) === 0
  return { type: 'terms', seq, granted, terms: granted ? membership.highestTerms() : new Map() }
}
