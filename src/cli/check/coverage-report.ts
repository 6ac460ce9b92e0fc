import { filled, grouped } from '../terminal/format.ts'
import type { AllReport } from './all-permutations.ts'
import type { CheckReport } from './explore.ts'

const WIDTH = 78

/** What a check of all arrangements covers, in lines; none for one of a single arrangement. */
export function coverageLines(report: CheckReport): string[] {
  if (!isAll(report)) return []
  const { arrangements, coverage, exhausted, violated } = report
  const { needed, all, proves, largest } = coverage
  const standing =
    needed === all ? '' : `; they stand for all ${grouped(all)}, since the network can be turned`
  const explored =
    arrangements === needed ? grouped(needed) : `${grouped(arrangements)} of ${grouped(needed)}`
  const tried = [
    `${explored} ${explored === '1' ? 'permutation' : 'permutations'} of the ids${standing}`,
    `most states: ${grouped(largest.states)}, with ids ${largest.ids}`,
  ]
  return [
    ...(isNameless(report) ? ['nodes have no ids: there is nothing to permute'] : tried),
    ...(exhausted && violated === null ? [`holds for ${proves}`] : []),
  ]
    .flatMap(indented)
    .concat(violated === null ? [] : [`  to see it alone: ${violated.command}`])
}

/** What the first line says more than that of a single arrangement. */
export function coverageInShort(report: CheckReport): string {
  if (!isAll(report) || isNameless(report)) return ''
  return report.violated === null
    ? ', for every permutation of the ids'
    : `, ids ${report.violated.ids}`
}

function isNameless({ coverage }: AllReport): boolean {
  return coverage.largest.ids.length === 0
}

function isAll(report: CheckReport): report is AllReport {
  return 'coverage' in report
}

function indented(text: string): string[] {
  return filled(text, WIDTH - 4).map((line, i) => `${i === 0 ? '  ' : '    '}${line}`)
}
