import { counted, digits, enumerated, grouped, wrapped } from '../../core/text-format.ts'
import type { BrokenProperty, GradeExploration } from '../../experiment/grade/findings.ts'
import type { Grade } from '../../experiment/grade/grade.ts'
import { gradedWorldText } from '../../experiment/grade/graded-world.ts'
import type { GradeMeasurement } from '../../experiment/grade/measure-cost.ts'
import { LARGEST_RANDOM } from '../../experiment/grade/random-worlds.ts'
import type { Points } from '../../experiment/grade/rubric.ts'
import { loopInWords } from '../check/counterexample-report.ts'
import { type Colours, columns, paragraph } from '../terminal/format.ts'
import type { FileGrade } from './grade-files.ts'
import { verdictColour } from './table-report.ts'

/** The text report of one file. */
export function fileReport(file: FileGrade, paint: Colours): string {
  const { name, grade, points, error } = file
  const lines = [
    ...titleLines(name ?? file.file, file, paint),
    ...(error === null ? [] : ['', ...error.split('\n').map((line) => `  ${line}`)]),
    ...(grade === null ? [] : gradeLines(grade, paint)),
    ...(points === null ? [] : ['', ...pointLines(points)]),
  ]
  return `${lines.join('\n')}\n`
}

/** The name and the verdict, in as many lines as they need. */
function titleLines(name: string, file: FileGrade, paint: Colours): string[] {
  const colour = verdictColour(file, paint)
  const [first, ...more] = wrapped([`${name} `, ...verdictText(file).split(' ')], paint.width - 2)
  const title = first.startsWith(`${name}  `)
    ? `${paint.bold(name)}  ${colour(paint.bold(first.slice(name.length + 2)))}`
    : paint.bold(first)
  return [title, ...more.map((line) => `  ${colour(paint.bold(line))}`)]
}

/** The verdict as a title. */
export function verdictText({ verdict, reason, error, grade }: FileGrade): string {
  const by = reason === '' ? '' : `, ${reason}`
  if (verdict === 'right')
    return `Right: proved for every n, all choices of ids and all schedules${by}`
  if (verdict === 'no error found') return `No error found${by}`
  if (verdict === 'none') return `No verdict: ${reason}`
  if (verdict === 'refused') return `Refused: ${error === null ? reason : 'it is no election'}`
  if (error !== null) return 'Wrong: it cannot be graded'
  const threw = grade?.broken[0]?.thrown !== undefined
  return `Wrong: ${threw ? 'it throws an error' : reason}`
}

function gradeLines(grade: Grade, paint: Colours): string[] {
  const { world, refused, explored, never, broken, proof, measured } = grade
  const text = gradedWorldText(world)
  if (refused.length > 0) return paragraph(`it declares: ${text}`, paint.width)
  return [
    ...paragraph(`graded in: ${text}`, paint.width),
    ...paragraph(`ids: ${idText(world)}`, paint.width),
    '',
    ...columns(explored.map(explorationCells)).map((line) => `  ${line}`),
    ...never.flatMap((one) => paragraph(unseenText(one), paint.width)),
    ...simulatedText(grade).flatMap((text) => paragraph(text, paint.width)),
    ...(proof === null ? [] : paragraph(invariantVerdict(proof), paint.width)),
    ...byRun(broken).flatMap((group, i) => ['', ...brokenLines(group, i < RUNS_SHOWN, paint)]),
    ...measured.flatMap((one) => ['', ...paragraph(measurementText(one), paint.width)]),
  ]
}

/** What no exploration has shown. */
export function unseenText(never: string): string {
  return `not seen in these explorations: ${never}`
}

const LISTED_SIZES = 12

/** Which worlds were simulated. */
export function simulatedText({ simulated, sizes }: Grade): string[] {
  if (simulated === 0) return []
  const listed = (numbers: readonly number[]) => {
    const more = numbers.length - LISTED_SIZES
    const named = numbers.slice(0, LISTED_SIZES).map(grouped)
    return enumerated(more > 0 ? [...named, `${more} more`] : named)
  }
  const near =
    sizes === null || sizes.larger.length === 0
      ? ''
      : `, and n = ${listed(sizes.larger)}, near the numbers in the source`
  const left = sizes?.left ?? []
  return [
    `${grouped(simulated)} random worlds of up to ${LARGEST_RANDOM} nodes simulated`,
    ...(sizes === null
      ? []
      : [`every size up to n = ${grouped(sizes.every)} simulated once${near}`]),
    ...(left.length === 0 ? [] : [`beyond the budget: n = ${listed(left)}`]),
  ]
}

/** What became of the invariant that the file states. */
export function invariantVerdict({
  verdict,
  properties,
  reason,
}: NonNullable<Grade['proof']>): string {
  return verdict === 'proved'
    ? `proved for every n, every choice of ids and every schedule: ${properties.join(', ')}`
    : `its invariant proves nothing for every n: ${reason} (see conclave prove)`
}

/** For which ids the result holds. */
export function idText({ ids, idUse: { kind, detail } }: Grade['world']): string {
  if (ids === 'none') return 'none'
  if (ids === 'unique' && kind === 'proved') return 'only compared, as its types show'
  const others = kind === 'proved' ? '' : `, though not others (${detail})`
  return `1 to n, sparse ones and the numbers in the source were tried${others}`
}

/** Of so many runs the steps are shown. */
const RUNS_SHOWN = 3

/** `n = 2, 3 worlds, every interleaving explored, 26 states` */
export function explorationText(exploration: GradeExploration): string {
  return explorationCells(exploration).join(', ')
}

function explorationCells({ n, worlds, states, ...rest }: GradeExploration): string[] {
  const { exhausted, inOrder = false } = rest
  const all = `every interleaving${inOrder ? ' of fifo links' : ''} explored`
  const how = exhausted ? all : 'not all explored'
  return [`n = ${n}`, counted(worlds, 'world'), how, counted(states, 'state')]
}

/** Violated properties that the same run shows stand together. */
export function byRun(broken: readonly BrokenProperty[]): BrokenProperty[][] {
  const groups = new Map<string, BrokenProperty[]>()
  for (const one of broken) {
    const run = JSON.stringify([one.replay, one.steps, one.loop])
    groups.set(run, [...(groups.get(run) ?? []), one])
  }
  return [...groups.values()]
}

/** Violated properties in their smallest world. */
function brokenLines(group: readonly BrokenProperty[], show: boolean, paint: Colours): string[] {
  const [{ steps, loop, hint, replay }] = group
  const shown = show ? steps : []
  const width = String(shown.length).length
  return [
    ...group.flatMap(({ property, detail }) => {
      // The line of the source and its caret stay as they are.
      const [first, ...source] = `${property}${detail === '' ? '' : `: ${detail}`}`.split('\n')
      const lines = [...wrapped(first, paint.width - 6), ...source]
      return lines.map((line, i) => (i === 0 ? `  ${paint.red('✗')} ${line}` : `    ${line}`))
    }),
    `    smallest world: ${smallestWorld(group[0])}${shown.length > 0 ? ':' : ''}`,
    ...shown.flatMap((text, i) =>
      wrapped(text, paint.width - 8 - width).map(
        (line, j) =>
          `    ${j === 0 ? `${String(i + 1).padStart(width)}.` : ' '.repeat(width + 1)} ${line}`,
      ),
    ),
    ...(loop === undefined || !show ? [] : [`    ${loopInWords(loop, steps.length)}`]),
    ...(hint === undefined ? [] : paragraph(hint, paint.width, '    ')),
    `    reproduce: ${replay}`,
  ]
}

/** `2 nodes, ids 2,1, 8 steps` */
export function smallestWorld({ n, ids, steps }: BrokenProperty): string {
  const named = ids === undefined ? '' : `, ids ${ids.join()}`
  const length = steps.length === 0 ? '' : `, ${counted(steps.length, 'step')}`
  return `${counted(n, 'node')}${named}${length}`
}

const NAMES = { cost: 'messages without the announcement', time: 'time until elected' }
const ON = {
  random: 'random ids',
  worst: 'the worst of ascending, descending and bit-reversed ids',
}

/** A measured cost in sentences. */
export function measurementText({
  measure,
  on,
  growth,
  at,
  value,
  reference,
}: GradeMeasurement): string {
  const { name, value: known, bound } = reference
  const compared = [
    ...(known === null ? [] : [`${name} needs ${digits(known)}`]),
    ...(bound === null ? [] : [`its proven bound is ${digits(bound)}`]),
  ]
  const against = compared.length === 0 ? '' : `; ${compared.join(', ')}`
  const sentence = `At n = ${at}: ${digits(value)}${against}.`
  return `${NAMES[measure]}, ${ON[on]}: ${growth.verdict}. ${sentence}`
}

function pointLines({ sum, most, items }: Points): string[] {
  const rows = items.map(({ what, points, of, note }) => [`${points} of ${of}`, what, note])
  return [`  ${sum} of ${most} points`, ...columns(rows).map((line) => `    ${line}`)]
}
