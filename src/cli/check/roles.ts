import { algorithmNamed } from '../../algorithms/index.ts'
import { UsageError } from '../../core/index.ts'
import { counted } from '../../core/text-format.ts'
import { rolesIn } from '../../scenario/index.ts'
import { explorableOf } from '../input/user-properties.ts'
import type { Colours } from '../terminal/format.ts'
import { explorationSpeed } from '../terminal/progress.ts'
import { type CheckReport, Exploration, type Options } from './explore.ts'
import { checkJson } from './json-report.ts'
import { checkReport, headline, notesReport } from './report.ts'

/** One election to explore: its role, if it has one, and what is asked for it alone. */
export interface RoleCheck {
  readonly role: string | null
  readonly name: string
  readonly options: Options
}

/** What came of each role. */
export type RoleReports = readonly (readonly [role: string, report: CheckReport])[]

/**
 * Roles share nodes, ids and faults but no state: whatever they do together, each does something
 * that it does alone. As in a run, where no network is given it is that of the first; where one
 * needs rounds, all have them. What cannot be is refused before the first is searched.
 */
export async function roleChecksOf(name: string, options: Options): Promise<RoleCheck[]> {
  const whole = [{ role: null, name, options }]
  if (options.role === undefined) return whole
  const what = await explorableOf(name)
  // Aggregations have no roles, and refuse them like any other field.
  if (!('algorithm' in what)) return whole
  const roles = rolesIn(options.role, what.algorithm, '--role', algorithmNamed)
  refuseManyFiles(roles.length, options)
  const rounds = roles.some(({ algorithm: { needs } }) => needs.time === 'rounds')
  const shared = {
    ...(rounds && { mode: 'clocked:1' }),
    ...options,
    ...share(options, roles.length),
  }
  const parts: RoleCheck[] = []
  let { topology } = options
  for (const { name: role, algorithm } of roles) {
    const own = { ...shared, role, ...(topology !== undefined && { topology }) }
    const called = algorithm === what.algorithm ? name : algorithm.name
    const glance = own.ids === 'all' ? { ...own, ids: 'increasing' } : own
    const { subject } = await Exploration.of(called, glance)
    topology ??= subject.scenario.topology
    parts.push({ role, name: called, options: own })
  }
  return parts
}

/** Each has the same part of the time. */
function share({ seconds }: Options, roles: number): Pick<Options, 'seconds'> {
  return Number(seconds) > 0 ? { seconds: String(Number(seconds) / roles) } : {}
}

function refuseManyFiles(roles: number, { trace, svg }: Options): void {
  if (roles === 1 || (trace === undefined && svg === undefined)) return
  throw new UsageError(
    trace === undefined ? '--svg' : '--trace',
    `it shows a run of a single election, but there are ${roles} roles.`,
    'Check them one by one, each with its --role alone.',
  )
}

/** What `--json` prints: counts are added up, and properties bear the names of their roles. */
export function rolesJson(reports: RoleReports) {
  const sum = (field: 'states' | 'transitions') =>
    reports.reduce((total, [, report]) => total + report[field], 0)
  const unfinished = reports.find(([, { exhausted }]) => !exhausted)
  const broken = reports.find(([, { violated }]) => violated !== null)
  const documents = reports.map(([role, report]) => [role, checkJson(report)] as const)
  const violated = broken && checkJson(broken[1]).violated
  return {
    states: sum('states'),
    transitions: sum('transitions'),
    depth: Math.max(...reports.map(([, { depth }]) => depth)),
    exhausted: unfinished === undefined,
    ...(unfinished?.[1].reason && { reason: `${unfinished[0]}: ${unfinished[1].reason}` }),
    properties: reports.flatMap(([role, { properties }]) =>
      properties.map((property) => ({ ...property, name: `${role}: ${property.name}` })),
    ),
    violated:
      broken && violated
        ? { ...violated, role: broken[0], property: `${broken[0]}: ${violated.property}` }
        : null,
    roles: Object.fromEntries(documents),
    speed: explorationSpeed(
      sum('states'),
      reports.reduce((total, [, { speed }]) => total + speed.cpuMs, 0),
    ),
  }
}

/** The result of each role for people; the first line has what is broken, or was not covered. */
export function rolesText(reports: RoleReports, paint: Colours): string {
  const notable =
    reports.find(([, { violated }]) => violated !== null) ??
    reports.find(([, { exhausted }]) => !exhausted)
  const { length } = reports
  const first =
    notable === undefined
      ? paint.green(paint.bold(`${counted(length, 'role')} explored`))
      : `${paint.bold(`role ${notable[0]}`)}: ${headline(notable[1], paint)}`
  const texts = reports.map(
    ([role, report]) =>
      `${paint.bold(`role ${role}`)}\n${checkReport(report, paint)}${notesReport(report.notes)}`,
  )
  return [`${first}\n`, ...texts].join('\n')
}
