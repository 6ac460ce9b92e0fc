import { type Algorithm, UsageError } from '../../../core/index.ts'
import { compose } from '../../../core/runtime/composition.ts'
import { campaign } from './candidate.ts'
import type { Me } from './lease-state.ts'
import { quorumLease } from './quorum-lease.ts'

const made = new Map<Algorithm, Algorithm>()

/**
 * An election that proposes who should lead, and a lease of a quorum that decides who may. However
 * the election goes, no two nodes lead at once. A node that it does not propose stands as well, but
 * later: so somebody leads even if it proposes nobody.
 */
export function leased(nominator: Algorithm): Algorithm {
  const known = made.get(nominator) ?? compositionOf(nominator)
  made.set(nominator, known)
  return known
}

function compositionOf(nominator: Algorithm): Algorithm {
  const { name, theory } = nominator
  const reason = unfit(nominator)
  if (reason !== null)
    throw new UsageError(
      `leased:${name}`,
      `${name} cannot propose a leader: ${reason}.`,
      'Use bully, ring-list or wireless, or an election of your own that is lasting.',
    )
  const composed = compose({
    name: `leased:${name}`,
    parts: { lease: quorumLease, nominator },
    leads: 'lease',
    proposed({ what }, my, net) {
      my.nominated = what === 'lead'
      if (my.nominated) campaign(my as Me, net)
    },
    needs: { topology: 'complete', time: 'clocks' },
    theory: {
      title: `${theory.title ?? name} with a lease`,
      authors: `${theory.authors}, as quorum-lease`,
      idea: `${name} proposes who should lead; that node stands first. A quorum lease decides who may: ${quorumLease.theory.idea}`,
      example: `conclave run leased:${name} -n 5 --crash 2@30 --until 100`,
    },
  })
  const { fallback } = composed.params
  return {
    ...composed,
    params: { ...composed.params, fallback: { ...fallback, value: () => 5 } },
  }
}

/** Why an election cannot propose leaders as long as the nodes run; null where it can. */
function unfit({ needs, lasting, problem, computes }: Algorithm): string | null {
  if (computes !== null) return 'it computes an aggregate'
  if (needs.topology !== 'any' && needs.topology !== 'complete')
    return `it needs a ${needs.topology}, and voters are a complete network`
  if (needs.time === 'rounds') return 'it needs synchronous rounds'
  if (problem !== null) return `it solves another problem, ${problem.name}`
  return lasting ? null : 'it does not elect again after a crash'
}
