import { KNOWLEDGE } from '../../algorithms/assumptions.ts'
import { enumerated, grouped } from '../../core/text-format.ts'
import { commandLine } from '../../scenario/command-line.ts'
import type { Io } from '../io.ts'
import { coloursFor, columns, columnsWithin, paragraph } from '../terminal/format.ts'
import { type Cost, ENDLESS_TIME, expense, type RankedCandidates, RUNS } from './candidates.ts'
import type { OfferedWorld } from './offered-world.ts'

const TIMING = {
  async: 'asynchronous',
  clocks: 'asynchronous, with clocks',
  bounded: 'bounded delays',
  sync: 'synchronous rounds',
  pairs: 'meetings in pairs',
}
const IDS = { numbers: 'ids are numbers', unique: 'ids can be compared', none: 'anonymous' }
const STARTS = { all: 'all start together', one: 'one starts', any: 'any start, at any time' }
const SAVED = { messages: 'fewest messages', time: 'least time', bits: 'fewest bits' }

/** What is proposed: the cheapest as measured, and the cheapest as proven; null where unknown. */
interface Proposal {
  readonly measured: string | null
  readonly guaranteed: string | null
}

function proposalOf({ fits }: RankedCandidates, { save }: OfferedWorld): Proposal {
  const cheapest = (of: 'measured' | 'worst') => {
    const known = fits.filter((one) => one[save][of] !== null)
    return known.toSorted((a, b) => a[save][of]! - b[save][of]!)[0]?.name ?? null
  }
  return { measured: cheapest('measured'), guaranteed: cheapest('worst') }
}

/** The result as data. */
export function choiceDocument(world: OfferedWorld, candidates: RankedCandidates): object {
  const fits = candidates.fits.map(({ scenario, ...one }) => ({
    ...one,
    command: commandLine('run', one.name, scenario),
  }))
  return { world, proposal: proposalOf(candidates, world), fits, unfit: candidates.unfit }
}

export function choiceText(world: OfferedWorld, candidates: RankedCandidates, io: Io): string {
  const paint = coloursFor(io)
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)
  const { fits, unfit } = candidates
  const told = (text: string) => paragraph(text, paint.width)
  return `${[
    ...paragraph(worldWords(world), paint.width, ''),
    '',
    ...(fits.length === 0
      ? told('No algorithm of the catalogue fits this world.')
      : [
          ...indented(costTable(world, candidates, paint.bold)),
          '',
          ...proposalWords(world, candidates).flatMap(told),
        ]),
    ...(unfit.length === 0
      ? []
      : ['', paint.bold('What does not fit, and why'), ...unfitLines(unfit, paint.width)]),
    ...(fits.length === 0
      ? []
      : ['', `Try: ${commandLine('run', fits[0].name, fits[0].scenario)}`]),
  ].join('\n')}\n`
}

/** One row each; those that need another network together. */
function unfitLines(unfit: RankedCandidates['unfit'], width: number): string[] {
  const here = unfit.filter(({ elsewhere }) => !elsewhere)
  const others = unfit.filter(({ elsewhere }) => elsewhere)
  const networks = [...new Set(others.map(({ reasons }) => reasons[0]))]
  const rows = here.map(({ name, reasons }) => [name, reasons.join('; ')])
  return [
    ...(rows.length === 0 ? [] : columnsWithin(rows, width - 2).map((line) => `  ${line}`)),
    ...networks.flatMap((reason) => {
      const names = others.filter(({ reasons }) => reasons[0] === reason).map(({ name }) => name)
      return paragraph(`${reason}: ${names.join(', ')}`, width, '  ', '    ')
    }),
  ]
}

function worldWords(world: OfferedWorld): string {
  const { topology, timing, order, ids, knows, wake, crashes, loss } = world
  const faults = [
    ...(crashes ? ['nodes may crash'] : []),
    ...(loss > 0 ? [`messages are lost with probability ${loss}`] : []),
  ]
  const facts = [
    topology,
    TIMING[timing],
    ...(order === 'any' ? ['messages overtake each other'] : []),
    IDS[ids],
    knows.length === 0 ? 'nothing else known' : knows.map((it) => KNOWLEDGE[it]).join(', '),
    STARTS[wake],
    faults.length === 0 ? 'no faults' : faults.join(', '),
  ]
  return facts.join(' · ')
}

function costTable(
  world: OfferedWorld,
  { fits }: RankedCandidates,
  bold: (text: string) => string,
): string[] {
  const leader = world.timing === 'pairs' ? 'meetings' : 'time'
  const time = world.compute === 'leader' ? leader : 'cycles'
  const head = ['algorithm', 'messages', 'at most', time, 'at most', 'bits']
  const rows = fits.map((one) => [
    one.name,
    ...cells(one.messages),
    ...cells(one.time),
    shown(one.bits.measured),
  ])
  const [title, ...lines] = columns(rightAligned([head, ...rows]))
  return [bold(title), ...lines]
}

/** Numbers end in the same column. */
function rightAligned(rows: readonly (readonly string[])[]): string[][] {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)))
  return rows.map((row) => row.map((cell, i) => (i === 0 ? cell : cell.padStart(widths[i]))))
}

function cells({ measured, worst }: Cost): string[] {
  return [shown(measured), shown(worst)]
}

function shown(value: number | null): string {
  return value === null ? '-' : grouped(value >= 100 ? Math.round(value) : Number(value.toFixed(1)))
}

function proposalWords(world: OfferedWorld, candidates: RankedCandidates): string[] {
  const { fits } = candidates
  const { measured, guaranteed } = proposalOf(candidates, world)
  const known = fits.find(({ name }) => name === guaranteed)
  const endless = fits.filter(({ until }) => until !== null).map(({ name }) => name)
  const causes = [...new Set(fits.flatMap(({ unmeasured }) => unmeasured ?? []))]
  const unlucky = fits.filter(({ failed }) => failed > 0)
  const save = SAVED[world.save]
  const capital = `${save.charAt(0).toUpperCase()}${save.slice(1)}`
  return [
    ...(measured === null ? [] : [`${capital} in simulations here: ${measured}.`]),
    ...(known === undefined
      ? []
      : [
          `${capital} guaranteed: ${known.name}, at most ${shown(known[world.save].worst)} = ${known[world.save].formula}.`,
        ]),
    ...(fits.every((one) => expense(one, world) === Number.POSITIVE_INFINITY)
      ? ['None has a known cost here.']
      : []),
    ...(measured === null ? [] : [measurementWords(world)]),
    ...(endless.length === 0
      ? []
      : [`${enumerated(endless)}: up to time ${ENDLESS_TIME}, for it never falls silent.`]),
    ...unlucky.map(({ name, failed }) => `${name} did not elect in ${failed} of ${RUNS} runs.`),
    ...causes.map((cause) => {
      const names = fits.filter(({ unmeasured }) => unmeasured === cause).map(({ name }) => name)
      return `Not simulated (${cause}): ${enumerated(names)}.`
    }),
  ]
}

/** What was measured, and in which units. */
function measurementWords({ compute, crashes }: OfferedWorld): string {
  if (compute !== 'leader') {
    const [run, who] = crashes ? ['run in which a node crashes', 'others'] : ['run', 'nodes']
    return `Measured: one ${run}, until all ${who} are within 1 % of the truth.`
  }
  const crash = crashes ? ' in which the first leader crashes once it is elected' : ''
  const [counted, until] = crashes
    ? ['Messages', 'the last election']
    : ['Messages and bounds', 'the election']
  return [
    `Measured: the mean of ${RUNS} runs${crash}.`,
    `${counted} are without the announcement;`,
    `time is until ${until}, in units of the largest delay.`,
  ].join(' ')
}
