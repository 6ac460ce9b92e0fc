import { offers } from '../../algorithms/kinds.ts'
import { overallVerdict } from '../../check/index.ts'
import { UsageError } from '../../core/index.ts'
import { counted } from '../../core/text-format.ts'
import { algorithmsOfRoles, rolesIn } from '../../scenario/index.ts'
import { locatorOf } from '../input/scenario-file.ts'
import { electionIn, loaded } from '../input/user-algorithm.ts'
import { explorableOf } from '../input/user-properties.ts'
import type { Colours } from '../terminal/format.ts'
import { explorationSpeed } from '../terminal/progress.ts'
import { type CheckReport, Exploration, type Options } from './explore.ts'
import { checkJson, checkReport, decisionJson, headline, notesReport } from './report.ts'

/** One election to explore: its role, if it has one, and its options. */
export interface RoleCheck {
  readonly role: string | null
  readonly name: string
  readonly options: Options
}

/** The report of each role. */
export type RoleReports = readonly (readonly [role: string, report: CheckReport])[]

/**
 * Roles share nodes, ids and faults but no state, so each can be checked by itself. As in a run,
 * the default network is that of the first role, and if one role needs rounds, all have them. All
 * options are validated before the first search.
 */
export async function roleChecksOf(name: string, options: Options): Promise<RoleCheck[]> {
  const single = [{ role: null, name, options }]
  if (options.role === undefined) return single
  const { definition } = await explorableOf(name)
  // Aggregations have no roles, and reject them like any other field.
  if (!offers(definition, 'roles')) return single
  const find = electionIn(await loaded(algorithmsOfRoles(options.role)))
  const roles = rolesIn(options.role, definition, locatorOf(options)('role'), find)
  rejectFilesForRoles(roles.length, options)
  const rounds = roles.some(({ algorithm: { needs } }) => needs.time === 'rounds')
  const shared = {
    ...(rounds && { mode: 'clocked:1' }),
    ...options,
    ...dividedTime(options, roles.length),
  }
  const checks: RoleCheck[] = []
  let { topology } = options
  for (const { name: role, reference } of roles) {
    const own = { ...shared, role, ...(topology !== undefined && { topology }) }
    const called = reference ?? name
    const probe = own.ids === 'all' ? { ...own, ids: 'increasing' } : own
    const { target } = await Exploration.of(called, probe)
    topology ??= target.scenario.topology
    checks.push({ role, name: called, options: own })
  }
  return checks
}

/** Each role has the same part of the time. */
function dividedTime({ seconds }: Options, roles: number): Pick<Options, 'seconds'> {
  return Number(seconds) > 0 ? { seconds: String(Number(seconds) / roles) } : {}
}

function rejectFilesForRoles(roles: number, { trace, svg, step }: Options): void {
  if (roles === 1 || (trace === undefined && svg === undefined && !step)) return
  throw new UsageError(
    trace !== undefined ? '--trace' : svg !== undefined ? '--svg' : '--step',
    `shows the run of a single election, but there are ${roles} roles.`,
    'Check one --role at a time.',
  )
}

/** What `--json` prints: counts are sums, and properties are prefixed with their roles. */
export function rolesJson(reports: RoleReports) {
  const sum = (field: 'states' | 'transitions') =>
    reports.reduce((total, [, report]) => total + report[field], 0)
  const properties = reports.flatMap(([role, { properties }]) =>
    properties.map((property) => ({ ...property, name: `${role}: ${property.name}` })),
  )
  const cut = reports.find(([, { draws }]) => draws?.enough === false)
  const incomplete = reports.find(([, { exhausted }]) => !exhausted)
  const violating = reports.find(([, { violated }]) => violated !== null)
  const documents = reports.map(([role, report]) => [role, checkJson(report)] as const)
  const violated = violating && checkJson(violating[1]).violated
  return {
    states: sum('states'),
    transitions: sum('transitions'),
    depth: Math.max(...reports.map(([, { depth }]) => depth)),
    exhausted: incomplete === undefined,
    ...(incomplete?.[1].reason && { reason: `${incomplete[0]}: ${incomplete[1].reason}` }),
    properties,
    ...decisionJson({
      properties,
      violated: violating?.[1].violated ?? null,
      exhausted: incomplete === undefined,
      ...(cut?.[1].draws && { draws: cut[1].draws }),
    }),
    violated:
      violating && violated
        ? { ...violated, role: violating[0], property: `${violating[0]}: ${violated.property}` }
        : null,
    roles: Object.fromEntries(documents),
    speed: explorationSpeed(
      sum('states'),
      reports.reduce((total, [, { speed }]) => total + speed.cpuMs, 0),
    ),
  }
}

/** The text report; the first line has a violation, or what was not explored. */
export function rolesText(reports: RoleReports, paint: Colours): string {
  const notable =
    reports.find(([, { violated }]) => violated !== null) ??
    reports.find(([, report]) => overallVerdict(report) === null)
  const { length } = reports
  const first =
    notable === undefined
      ? paint.green(paint.bold(`${counted(length, 'role')} explored`))
      : `${paint.bold(`role ${notable[0]}`)}: ${headline(notable[1], paint).join('\n')}`
  const texts = reports.map(
    ([role, report]) =>
      `${paint.bold(`role ${role}`)}\n${checkReport(report, paint)}${notesReport(report.notes)}`,
  )
  return [`${first}\n`, ...texts].join('\n')
}
