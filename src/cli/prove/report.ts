import type { ClauseReport, ProofReport, VariantReport } from '../../api/prove.ts'
import type { UnshownUse } from '../../core/language/validation/only-compared.ts'
import { counted, enumerated, grouped } from '../../core/text-format.ts'
import { NO_FAULTY_HANDLER } from '../../prove/prove.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { wrappedStep } from '../check/counterexample-report.ts'
import { type Colours, paragraph, verdictMark } from '../terminal/format.ts'

/** So many counterexamples are shown; JSON has all. */
const COUNTEREXAMPLES_SHOWN = 1

/** The text report of an attempt to prove; `name` is the algorithm as the user wrote it. */
export function proofText(report: ProofReport, name: string, paint: Colours): string {
  const lines =
    report.verdict === 'refused' ? refusalLines(report, paint) : attemptLines(report, name, paint)
  return `${lines.join('\n')}\n`
}

function refusalLines({ algorithm, refusals }: ProofReport, paint: Colours): string[] {
  return [
    paint.yellow(paint.bold(`Refused: what ${algorithm} declares rules a proof out`)),
    ...refusals.flatMap(({ problem, hint }) =>
      paragraph(`- ${problem} ${hint}`, paint.width, '  ', '    '),
    ),
    ...paragraph(
      'docs/proving.md says why. conclave check explores it for small n.',
      paint.width,
    ).map(paint.dim),
  ]
}

function attemptLines(report: ProofReport, name: string, paint: Colours): string[] {
  const { clauses, verdict } = report
  const goals = clauses.filter(({ from }) => from === 'goal')
  const stated = clauses.filter(({ from }) => from === 'stated')
  const leaned = stated.filter((clause) => clause.verdict !== 'open')
  const open = openClauses(report)
  const indented = (text: string) => paragraph(text, paint.width)
  return [
    ...paragraph(headline(report), paint.width, '', '').map((line) => toned(report, line, paint)),
    ...indented(subjectText(report)).map(paint.dim),
    ...report.unshown.flatMap((one) => indented(unshownText(one))),
    ...(verdict === 'proved' ? indented(inductionText(report)) : []),
    '',
    ...goals.map((clause) => clauseLine(clause, paint)),
    ...stated
      .filter((clause) => clause.verdict === 'open')
      .map((clause) => clauseLine(clause, paint)),
    ...(report.faulty === null
      ? []
      : [`  ${verdictMark(null, paint)} ${NO_FAULTY_HANDLER}: not proved`]),
    ...(leaned.length === 0
      ? []
      : indented(`from: ${leaned.map((clause) => clause.name).join('; ')}`)),
    ...report.assumed.flatMap((text) => indented(`assumed: ${text}`)),
    ...exploredLines(report, paint),
    ...foundLines(report, paint),
    ...open
      .slice(0, COUNTEREXAMPLES_SHOWN)
      .flatMap((one) => ['', ...counterexampleLines(one, report, name, paint)]),
    ...(open.length <= COUNTEREXAMPLES_SHOWN
      ? []
      : [
          '',
          `${counted(open.length - COUNTEREXAMPLES_SHOWN, 'more counterexample')}: --json has all.`,
        ]),
  ]
}

/** An open clause; or the handlers, where one goes wrong. */
type OpenClause = Required<Pick<ClauseReport, 'name' | 'cti'>> & Pick<ClauseReport, 'reach'>

/**
 * What is violated comes first, then the clauses that the definition states: properties may be open
 * only for want of these.
 */
export function openClauses({ clauses, faulty, violated }: ProofReport): OpenClause[] {
  const open = clauses.flatMap((clause) => (clause.cti ? [{ ...clause, cti: clause.cti }] : []))
  const rank = ({ name, from }: ClauseReport) => (name === violated ? 0 : from === 'stated' ? 1 : 2)
  return [
    ...(faulty === null ? [] : [{ name: NO_FAULTY_HANDLER, cti: faulty }]),
    ...open.sort((a, b) => rank(a) - rank(b)),
  ]
}

function headline(report: ProofReport): string {
  const { verdict, violated, clauses, faulty, unshown } = report
  if (violated !== null) return `Violated: ${violated}`
  if (verdict === 'proved')
    return `Proved for every ${networkName(report)}, every choice of ids and every schedule`
  const computed = unshown.filter(({ subject }) => subject !== 'code')
  if (computed.length > 0) {
    const subjects = enumerated(computed.map(({ subject }) => subject))
    return `Not proved: ${subjects} may be computed with`
  }
  if (unshown.length > 0) return 'Not proved: handlers may depend on more than their events'
  const open = clauses.filter((one) => one.required && one.verdict === 'open')
  const names = [...open.map(({ name }) => name), ...(faulty === null ? [] : ['handlers'])]
  return `Not proved for every ${networkName(report)}: ${enumerated(names)}`
}

function toned({ violated, verdict }: ProofReport, line: string, paint: Colours): string {
  const colour = violated !== null ? paint.red : verdict === 'proved' ? paint.green : paint.yellow
  return colour(paint.bold(line))
}

/** The algorithm, with the settings that choose it, and the runs that the report is about. */
function subjectText(report: ProofReport): string {
  const { algorithm, variants } = report
  const words = Object.entries(settingsOf(report)).map(([name, word]) => `${name}=${word}`)
  const others = variants === undefined || report.verdict !== 'proved' ? [] : variants.slice(1)
  const names = [algorithm, ...new Set(others.map((one) => one.algorithm))]
  const all = [enumerated([...new Set(names)]), ...(others.length > 0 ? [] : words)].join(' with ')
  return report.for === null ? all : `${all}; ${linksText(report)}`
}

/** The settings that choose the algorithm which the report is about. */
function settingsOf({ variants, verdict, violated }: ProofReport): VariantReport['settings'] {
  const found = variants?.find((one) => one.verdict === verdict && one.violated === violated)
  return found?.settings ?? {}
}

/** Where something may be computed with, and why that is not ruled out. */
function unshownText({ where, why }: UnshownUse): string {
  return `${where}: ${why}`
}

function networkName({ for: runs }: ProofReport): string {
  return runs!.topology === 'ring' ? 'ring' : 'complete network'
}

/** The runs that a proof is about. */
function linksText(report: ProofReport): string {
  const recover = report.for!.recoveries ? ', and recover with what is stable' : ''
  return `${mayText(report)}; nodes may fall silent${recover}`
}

function mayText({ for: runs }: ProofReport): string {
  const { order, duplicates } = runs!
  const may = [
    'lost',
    ...(order === 'any' ? ['overtaken'] : []),
    ...(duplicates ? ['doubled'] : []),
  ]
  return `messages may be ${enumerated(may)}`
}

function inductionText(report: ProofReport): string {
  const { steps, largest } = report
  const { nodes, messages } = largest
  const network = networkName(report)
  const tried = `${counted(steps, 'step')} on ${network}s of up to ${nodes} nodes`
  const flight = `with up to ${counted(messages, 'message')} in flight`
  return `by induction: ${tried} ${flight}; by theorem 1 of docs/proving.md no larger one differs`
}

const VERDICTS = {
  proved: '',
  open: ': not proved',
  unshown: ': not proved; it follows by induction if that does not happen',
} as const

function clauseLine({ name, verdict }: ClauseReport, paint: Colours): string {
  const mark = verdictMark(verdict === 'proved' ? true : null, paint)
  return `  ${mark} ${name}${VERDICTS[verdict]}`
}

function exploredLines(report: ProofReport, paint: Colours): string[] {
  const { explored, clauses, for: runs } = report
  if (explored === null || clauses.some(({ verdict }) => verdict !== 'proved')) return []
  const { n, states } = explored
  if (n === 0)
    return [`  not explored as well: a ${networkName(report)} of one node has too many states`]
  const networks = `${networkName(report)}s of up to ${n} nodes${boundsText(report)}`
  const all = runs!.topology === 'ring' ? `all orders of ids on ${networks}` : networks
  return paragraph(
    `explored as well: ${all}, ${counted(states, 'state')}: nothing is violated`,
    paint.width,
  )
}

/** ` (term at most 1)`, where not all values were explored. */
function boundsText({ explored }: ProofReport): string {
  const bounds = Object.entries(explored?.bounds ?? {})
  return bounds.length === 0
    ? ''
    : ` (${enumerated(bounds.map(([name, most]) => `${name} at most ${most}`))})`
}

/** What was searched for an invariant, and the clauses in the form to paste. */
function foundLines({ found }: ProofReport, paint: Colours): string[] {
  if (found === undefined) return []
  const { clauses, states, pool, dropped, inductions, leftOut, wide, stopped, cti } = found
  const searched = [
    'all clauses of up to three literals over two nodes and a message',
    wide ? 'or over three nodes, of which one keeps the id of another:' : ':',
    `${counted(pool, 'clause')} hold in all ${counted(states, 'state')} of rings of 2 and 3 nodes;`,
    `${counted(inductions, 'induction')}, ${grouped(dropped)} dropped`,
    ...(leftOut === 0 ? [] : [`(${counted(leftOut, 'statement')} left out: there are too many)`]),
  ]
    .join(' ')
    .replace(' :', ':')
  if (clauses === null)
    return [
      '',
      ...paragraph(
        'No invariant was found. That does not say that there is none.',
        paint.width,
        '',
      ),
      ...paragraph(
        `searched: ${searched}. ${stopped ? 'Then the time was over.' : 'None of them forbids this:'}`,
        paint.width,
      ),
      ...(cti?.text ?? []).flatMap((line) => paragraph(line, paint.width, '    ', '      ')),
    ]
  return [
    '',
    'Found, in the form to paste:',
    '',
    '  invariant: ({ nodes, each }) => ({',
    ...clauses.map(({ name, text }) => `    '${name}': ${text},`),
    '  }),',
    '',
    ...paragraph(`searched: ${searched}`, paint.width).map(paint.dim),
  ]
}

function counterexampleLines(
  { name: clause, cti, reach }: OpenClause,
  report: ProofReport,
  name: string,
  paint: Colours,
): string[] {
  const title =
    cti.step === null
      ? `"${clause}" fails at the beginning:`
      : `"${clause}" is not proved. From here one step breaks it; what is not said may be anything:`
  return [
    ...paragraph(title, paint.width, '', ''),
    ...cti.text.flatMap((line) => paragraph(line, paint.width, '  ', '    ')),
    ...reachLines(report, clause, reach, name, paint),
    ...(reach === undefined && clause === NO_FAULTY_HANDLER
      ? paragraph(`conclave check ${report.algorithm} shows whether it happens.`, paint.width, '')
      : []),
  ]
}

const VIOLATED = 'The checker finds that it is violated'

/** What the exploration of small networks says about an open clause. */
function reachLines(
  report: ProofReport,
  clause: string,
  reach: ClauseReport['reach'],
  name: string,
  paint: Colours,
): string[] {
  if (reach === undefined) return []
  const { links, n, ids = [], run = [], detail = '' } = reach
  const network = networkName(report)
  // On rings no crashes are explored, and runs without say nothing about a recovery.
  if (links === null && report.for!.recoveries && network === 'ring') return []
  if (links === null)
    return paragraph(
      `The checker finds no violation on ${network}s of up to ${counted(n, 'node')}${boundsText(report)}: perhaps this cannot be reached, and a clause that rules it out is missing.`,
      paint.width,
      '',
    )
  const where = `on a ${network} of ${counted(n, 'node')} with ids ${ids.join()}`
  const title =
    links === 'needed'
      ? `${VIOLATED} ${where}: ${detail}`
      : `${VIOLATED} ${where} where ${mayText(report)}, so that it cannot be proved: ${detail}`
  return [
    ...paragraph(`${title}:`, paint.width, '', ''),
    ...run.flatMap((text, i) => {
      const [first, ...rest] = wrappedStep(text, paint.width - 6)
      return [`  ${grouped(i + 1)}. ${first}`, ...rest.map((line) => `     ${line}`)]
    }),
    // The checker does not judge the clauses of an invariant.
    ...(clause === report.violated ? ['Look at it:', `  ${checkCommand(report, name, ids)}`] : []),
  ]
}

/** The check that shows the violation; on FIFO links by default. */
function checkCommand(report: ProofReport, name: string, ids: readonly number[]): string {
  const order = report.for!.order === 'any' ? { order: 'any' } : {}
  const set = settingsOf(report)
  const chosen = Object.keys(set).length > 0 ? { set } : {}
  return commandLine('check', name, { ids: ids.join(), ...order, ...chosen })
}
