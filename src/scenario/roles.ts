import { type Algorithm, UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import { type Preparation, prepareElection } from './election/prepare-election.ts'
import { readRemarks } from './fields/remarks.ts'
import { type FieldLocator, readRoleName, type ScenarioInput } from './scenario.ts'

/** Fields that a role may have for itself; it shares all others. */
const OWN = ['algorithm', 'values', 'elect-by'] as const

/** Several elections at once on the same nodes, each with its own state and random stream. */
export interface RolePreparations {
  /** The common scenario; a field in which the roles differ is included only if it was given. */
  readonly scenario: ScenarioInput
  readonly roles: readonly { readonly name: string; readonly preparation: Preparation }[]
}

/**
 * Prepares every role of a scenario: the same nodes, ids, faults and limits for all. The default
 * network is that of the first role. If one role needs rounds, all run in rounds.
 */
export function prepareRoles(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
  find: (name: string, where: string) => Algorithm,
  readFile?: (path: string) => string,
): RolePreparations {
  const { role: listed, title: _, notes: __, ...shared } = given
  const entries = entriesIn(listed)
  const roles = rolesIn(listed, algorithm, where('role'), find)
  refuseOverrides(roles, given.tamper, where('tamper'))
  const rounds = roles.some(({ algorithm: { needs } }) => needs.time === 'rounds')
  const common: ScenarioInput = { ...(rounds && { timing: 'sync' }), ...shared }
  const prepared: { name: string; preparation: Preparation }[] = []
  for (const { name, algorithm: own, fields } of roles) {
    const topology = common.topology ?? prepared[0]?.preparation.scenario.topology
    const all = { ...common, ...(topology !== undefined && { topology }), ...fields, role: name }
    prepared.push({ name, preparation: prepareElection(all, own, where, readFile) })
  }
  const named = { algorithm: algorithm.name }
  const scenarios = prepared.map(({ preparation }): ScenarioInput => ({ ...preparation.scenario }))
  return {
    scenario: {
      ...readRemarks(given, where),
      ...agreed(scenarios, { ...common, ...named }),
      ...named,
      role: entries,
    },
    roles: prepared,
  }
}

/** The algorithms that roles name, before they are looked up. */
export function algorithmsOfRoles(listed: unknown): unknown[] {
  return entriesIn(listed).flatMap((entry) => {
    const { algorithm } =
      typeof entry === 'object' ? ((entry ?? {}) as ScenarioInput) : split(entry)
    return algorithm === undefined ? [] : [algorithm]
  })
}

/** Reads roles, each with its algorithm or the default one. */
export function rolesIn(
  listed: unknown,
  otherwise: Algorithm,
  where: string,
  find: (name: string, where: string) => Algorithm,
): Role[] {
  const roles = entriesIn(listed).map((entry) => roleOf(entry, otherwise, where, find))
  refuseNone(roles, where)
  refuseTwins(roles, where)
  return roles
}

function entriesIn(listed: unknown): readonly unknown[] {
  return Array.isArray(listed) ? listed : [listed]
}

interface Role {
  readonly name: string
  /** The algorithm as it was written; null for the default one. */
  readonly reference: string | null
  readonly algorithm: Algorithm
  readonly fields: ScenarioInput
}

/** A role as the command line writes it, `name` or `name=algorithm`, or as an object. */
function roleOf(
  entry: unknown,
  otherwise: Algorithm,
  where: string,
  find: (name: string, where: string) => Algorithm,
): Role {
  const fields = fieldsOf(entry, where)
  const { name, algorithm, ...own } = fields
  return {
    name: readRoleName(where, name),
    reference: algorithm === undefined ? null : String(algorithm),
    algorithm: algorithm === undefined ? otherwise : find(String(algorithm), where),
    fields: own,
  }
}

function fieldsOf(entry: unknown, where: string): ScenarioInput {
  if (typeof entry === 'string') return split(entry)
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return { name: entry }
  const known: readonly string[] = ['name', ...OWN]
  const stranger = Object.keys(entry).find((field) => !known.includes(field))
  if (stranger === undefined) return entry as ScenarioInput
  throw new UsageError(
    where,
    `a role has no field ${quoted(stranger)}.`,
    `The fields are ${known.join(', ')}.`,
  )
}

/** `name` or `name=algorithm`. */
function split(entry: unknown): ScenarioInput {
  const [name, ...rest] = String(entry).split('=')
  return { name, ...(rest.length > 0 && { algorithm: rest.join('=') }) }
}

function refuseNone(roles: readonly Role[], where: string): void {
  if (roles.length > 0) return
  throw new UsageError(where, 'the list of roles is empty.', 'Name a role, or leave it out.')
}

function refuseTwins(roles: readonly Role[], where: string): void {
  const names = roles.map(({ name }) => name)
  const twin = names.find((name, i) => names.indexOf(name) < i)
  if (twin === undefined) return
  throw new UsageError(where, `role ${twin} is listed twice.`, 'Rename one of them.')
}

/** Each election numbers its own messages: a number alone does not identify one. */
function refuseOverrides(roles: readonly Role[], tamper: unknown, where: string): void {
  if (roles.length === 1 || tamper === undefined || tamper === 'none') return
  throw new UsageError(
    where,
    `works only with a single election, but there are ${roles.length} roles.`,
    'Run the roles one by one.',
  )
}

/** The fields in which all scenarios agree; of the others, those that were given. */
function agreed(scenarios: readonly ScenarioInput[], given: ScenarioInput): ScenarioInput {
  const fields = new Set(scenarios.flatMap(Object.keys))
  const entries = Array.from(fields, (field): [string, unknown] => {
    const [first, ...others] = scenarios.map((scenario) => JSON.stringify(scenario[field]))
    const same = others.every((other) => other === first)
    return [field, same ? scenarios[0][field] : given[field]]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
