import { counted } from '../../core/text-format.ts'
import type { BrokenProperty } from '../../experiment/grade/findings.ts'
import type { Grade } from '../../experiment/grade/grade.ts'
import { gradedWorldShort, gradedWorldText } from '../../experiment/grade/graded-world.ts'
import type { Points } from '../../experiment/grade/rubric.ts'
import { loopInWords } from '../check/counterexample-report.ts'
import {
  byRun,
  explorationText,
  idText,
  measurementText,
  proofText,
  smallestWorld,
} from './file-report.ts'
import type { FileGrade } from './grade-files.ts'
import { shortNames } from './submissions.ts'
import { finding, pointsText, summary, verdictWord } from './table-report.ts'

/** All grades as one page that needs nothing else: a table, and the details of each file. */
export function gradesPage(grades: readonly FileGrade[], require: readonly string[]): string {
  const names = shortNames(grades.map(({ file }) => file))
  const scored = grades.some(({ points }) => points !== null)
  const head = ['file', 'verdict', ...(scored ? ['points'] : []), 'graded in', 'what was found']
  const rows = grades.map((one, i) =>
    row([
      tag('td', `<a href="#file-${i}">${escaped(names[i])}</a>`),
      tag('td', badge(one)),
      ...(scored ? [tag('td', pointsText(one), 'number')] : []),
      tag('td', one.grade === null ? '' : escaped(gradedWorldShort(one.grade.world))),
      tag('td', escaped(finding(one))),
    ]),
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Grades of ${counted(grades.length, 'file')}</title>
<style>${STYLE}</style>
<main>
${[
  tag('h1', 'Grades'),
  tag('p', `${summary(grades)}.`),
  ...(require.length === 0 ? [] : [tag('p', `Required: ${escaped(require.join(', '))}.`)]),
  tag('table', `${tag('thead', row(head.map((name) => tag('th', name))))}${rows.join('\n')}`),
  ...grades.map((one, i) => details(one, names[i], i)),
].join('\n')}
</main>
</html>
`
}

function tag(name: string, content: string, kind?: string): string {
  return `<${name}${kind === undefined ? '' : ` class="${kind}"`}>${content}</${name}>`
}

function row(cells: readonly string[]): string {
  return tag('tr', cells.join(''))
}

function list(items: readonly string[], name = 'ul'): string {
  return items.length === 0 ? '' : tag(name, items.map((item) => tag('li', item)).join(''))
}

function badge(one: FileGrade): string {
  return tag('span', verdictWord(one), `verdict ${one.verdict}`)
}

/** What was graded, and with which ids; of a refused file what it declares. */
function worldOf({ world, refused }: Grade): string[] {
  const text = `${escaped(gradedWorldText(world))}.`
  if (refused.length > 0) return [tag('p', `It declares: ${text}`)]
  return [tag('p', `Graded in: ${text}`), tag('p', `Ids: ${escaped(idText(world))}.`)]
}

function details(one: FileGrade, name: string, i: number): string {
  const { grade, error, reason, points } = one
  const algorithm = one.name === null ? '' : ` ${tag('small', escaped(one.name))}`
  const title = tag('h2', `${escaped(name)}${algorithm} ${badge(one)}`)
  const parts = [
    ...(grade === null ? [] : worldOf(grade)),
    ...(grade === null && error === null ? [tag('p', `${escaped(reason)}.`)] : []),
    ...(error === null ? [] : [tag('p', 'The file has a mistake:'), tag('pre', escaped(error))]),
    list((grade?.refused ?? []).map((it) => `Not ${escaped(it.require)}: ${escaped(it.reason)}.`)),
    ...byRun(grade?.broken ?? []).map(brokenDetails),
    evidence(one),
    ...(points === null ? [] : [pointTable(points)]),
  ]
  return `<section id="file-${i}">${[title, ...parts].join('\n')}</section>`
}

function brokenDetails(group: readonly BrokenProperty[]): string {
  const [broken] = group
  const { steps, loop, hint, replay } = broken
  const titles = group.map(({ property, detail, thrown }) =>
    // An error has the line of the source below it.
    thrown === undefined
      ? tag('h3', `✗ ${escaped(detail === '' ? property : `${property}: ${detail}`)}`)
      : `${tag('h3', `✗ ${escaped(property)}`)}${tag('pre', escaped(detail))}`,
  )
  const parts = [
    ...titles,
    tag('p', `Smallest world: ${escaped(smallestWorld(broken))}.`),
    list(steps.map(escaped), 'ol'),
    ...(loop === undefined ? [] : [tag('p', `Here ${loopInWords(loop, steps.length)}.`)]),
    ...(hint === undefined ? [] : [tag('p', escaped(hint))]),
    tag('pre', escaped(replay)),
  ]
  return tag('article', parts.join('\n'))
}

function evidence({ grade }: FileGrade): string {
  if (grade === null || grade.explored.length === 0) return ''
  const { explored, simulated, proof, measured } = grade
  const items = [
    ...explored.map(explorationText),
    ...(simulated > 0 ? [`${counted(simulated, 'random world')} simulated`] : []),
    ...(proof === null ? [] : [proofText(proof)]),
    ...measured.map(measurementText),
  ]
  return tag('details', `${tag('summary', 'Evidence')}${list(items.map(escaped))}`)
}

function pointTable({ sum, most, items }: Points): string {
  const rows = items.map(({ what, points, of, note }) =>
    row([
      tag('td', escaped(what)),
      tag('td', `${points} of ${of}`, 'number'),
      tag('td', escaped(note)),
    ]),
  )
  const total = tag('th', `${Number(sum.toFixed(2))} of ${most}`, 'number')
  return tag('table', `${rows.join('')}${row([tag('th', 'sum'), total, tag('th', '')])}`, 'points')
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
main { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
td, th { padding: .3rem .7rem; border-bottom: 1px solid #8884; text-align: left }
td, th { vertical-align: top }
td:first-child { white-space: nowrap }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.points { width: auto; margin-top: 1rem }
.verdict { padding: 0 .5rem; border-radius: .6rem; font-size: .85rem; color: #fff }
.verdict { white-space: nowrap; font-weight: normal }
.right { background: #1a7f37 } .wrong { background: #b42318 } .none { background: #9a6700 }
section { margin-top: 2rem; padding-top: .5rem; border-top: 2px solid #8884 }
h2 { font-size: 1.15rem } h3 { font-size: 1rem; margin: .8rem 0 0 }
h2 small { font-weight: normal; opacity: .7 }
pre { overflow-x: auto; padding: .5rem .8rem; background: #8882; font-size: .85rem }
@media print { section { break-inside: avoid } pre { white-space: pre-wrap } }
`

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
