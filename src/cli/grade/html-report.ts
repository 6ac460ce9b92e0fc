import { basename } from 'node:path'
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
  invariantVerdict,
  measurementText,
  simulatedText,
  smallestWorld,
  unseenText,
  verdictText,
} from './file-report.ts'
import type { FileGrade } from './grade-files.ts'
import { shortNames } from './submissions.ts'
import { equalFiles, finding, pointsText, summary } from './table-report.ts'

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
  return page(`Grades of ${counted(grades.length, 'file')}`, [
    tag('h1', 'Grades'),
    tag('p', `${summary(grades)}.`),
    ...(require.length === 0 ? [] : [tag('p', `Required: ${escaped(require.join(', '))}.`)]),
    ...equalFiles(grades).map((said) => tag('p', escaped(said))),
    tag('table', `${tag('thead', row(head.map((name) => tag('th', name))))}${rows.join('\n')}`),
    ...grades.map((one, i) => details(one, names[i], i)),
  ])
}

function page(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<main>
${parts.join('\n')}
</main>
</html>
`
}

const MEANING: Readonly<Record<FileGrade['verdict'], string>> = {
  right:
    'Every property that counts is proved, for every number of nodes, all choices of ids and all schedules.',
  'no error found':
    'Every world listed below was tried, and no property was violated. This is not a proof: an error may show only in larger networks.',
  wrong:
    'Some run violates a property, or the file does not run at all. The smallest example that was found is below.',
  refused: 'The file was not judged, because it does not meet a condition of the exercise.',
  none: 'Something could not be decided, so somebody has to look at the file.',
}

/** A page for each author, by the name of its file. It says nothing of other files. */
export function feedbackPages(grades: readonly FileGrade[]): Record<string, string> {
  const pages: Record<string, string> = {}
  const names =
    grades.length === 1 ? [basename(grades[0].file)] : shortNames(grades.map(({ file }) => file))
  for (const [i, one] of grades.entries()) {
    const name = names[i].replaceAll('/', '-')
    let free = `${name}.html`
    for (let copy = 2; free in pages; copy++) free = `${name}-${copy}.html`
    // Commands are for the folder of the author, who may not know that of the lecturer.
    pages[free] = feedbackPage(one).replaceAll(escaped(one.file), escaped(basename(one.file)))
  }
  return pages
}

function feedbackPage(one: FileGrade): string {
  const { grade, error, points, file, name } = one
  const [first, ...others] = byRun(grade?.broken ?? []).map(brokenDetails)
  const title = `${basename(file)}${name === null ? '' : ` · ${name}`}`
  const said = tag('p', escaped(title)) + tag('h1', escaped(verdictText(one)))
  const unmet = (grade?.refused ?? []).map(
    (it) => `Not ${escaped(it.require)}: ${escaped(it.reason)}.`,
  )
  return page(basename(file), [
    tag('header', `${said}${tag('p', MEANING[one.verdict])}`, `banner ${verdictClass(one)}`),
    ...(error === null ? [] : [tag('pre', escaped(error))]),
    list(unmet),
    ...(first === undefined ? [] : [tag('h2', 'The shortest run that shows it'), first]),
    ...(others.length === 0
      ? []
      : [tag('details', `${tag('summary', 'What else is broken')}${others.join('')}`)]),
    ...(grade === null
      ? []
      : [tag('h2', 'What was graded'), ...worldOf(grade), evidence(one, true)]),
    ...(points === null ? [] : [tag('h2', 'Points'), pointTable(points)]),
  ])
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
  return tag('span', one.verdict, `verdict ${verdictClass(one)}`)
}

function verdictClass({ verdict }: FileGrade): string {
  return verdict === 'no error found' ? 'right' : verdict
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
    tag('p', 'Repeat it on your machine:'),
    tag('pre', escaped(`npx ${replay}`)),
  ]
  return tag('article', parts.join('\n'))
}

function evidence({ grade }: FileGrade, open = false): string {
  if (grade === null || grade.explored.length === 0) return ''
  const { explored, never, proof, measured } = grade
  const items = [
    ...explored.map(explorationText),
    ...never.map(unseenText),
    ...simulatedText(grade),
    ...(proof === null ? [] : [invariantVerdict(proof)]),
    ...measured.map(measurementText),
  ]
  if (open) return list(items.map(escaped))
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
.right { background: #1a7f37 } .wrong { background: #b42318 }
.none, .refused { background: #9a6700 }
.banner { color: #fff; border-radius: .6rem; padding: 1rem 1.4rem; margin-bottom: 1.5rem }
.banner p { margin: 0; opacity: .9 } .banner h1 { margin: .2rem 0 .6rem; font-size: 1.4rem }
summary { cursor: pointer; margin: 1rem 0 }
section { margin-top: 2rem; padding-top: .5rem; border-top: 2px solid #8884 }
h2 { font-size: 1.15rem } h3 { font-size: 1rem; margin: .8rem 0 0 }
h3 + h3 { margin-top: 0 }
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
