import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Problem } from '../../../src/core/index.ts'
import { networkForms } from '../../../src/core/index.ts'
import { measureList } from '../../../src/experiment/study/measures.ts'
import { DOCUMENT_FIELDS } from '../../../src/options/experiment.ts'
import { FAULT_FIELDS } from '../../../src/options/scenario.ts'
import {
  eventualLeader,
  leaderElection,
  leaderPerTerm,
  lease,
  selfStabilization,
} from '../../../src/problems/index.ts'
import { amongStanding, everyFairRunElects } from '../../../src/problems/leader-election.ts'
import { codeBlocks } from '../../support/console-blocks.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** The rows of the tables of a page, or of one of its sections, as their cells. */
function rowsOf(page: string, section?: string): string[][] {
  const text = read(page)
  const part = section === undefined ? text : text.split(`\n## ${section}\n`)[1].split(/\n## /)[0]
  return part
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| -/.test(line))
    .slice(1)
    .map((line) => line.slice(1, -1).split(/(?<!\\)\|/))
    .map((cells) => cells.map((cell) => cell.trim()))
}

/** What stands in backquotes in a column of a table, without what it belongs to. */
function namesIn(rows: readonly string[][], column = 0): string[] {
  return rows.flatMap((cells) =>
    [...cells[column].matchAll(/`(?:net\.|my\.)?([^`(]+)(?:\([^`]*)?`/g)].map(([, name]) => name),
  )
}

/** The names of the members of an interface in a source file, those of nested types left out. */
function membersOf(file: string, name: string): string[] {
  const [, body] = new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(read(file))!
  return [...body.matchAll(/^ {2}(?:readonly )?'?([\w-]+)'?\??[:(<]/gm)].map(([, member]) => member)
}

const NET = 'src/core/language/net.ts'
const ALGORITHM = 'src/core/language/algorithm.ts'

describe('docs/language.md', () => {
  const page = 'docs/language.md'

  it('has every member of a definition', () => {
    const members = membersOf(ALGORITHM, 'Definition')
    expect(members.length).toBeGreaterThan(20)
    expect(namesIn(rowsOf(page, 'The definition')).toSorted()).toEqual(members.toSorted())
  })

  it('has every need', () => {
    const needs = membersOf(ALGORITHM, 'Needs')
    expect(namesIn(rowsOf(page, 'Needs'))).toEqual(needs)
  })

  it('has every member of the net', () => {
    const members = membersOf(NET, 'Anywhere')
    expect(members.length).toBeGreaterThan(10)
    expect(namesIn(rowsOf(page, 'The net'))).toEqual(members)
  })

  it('has everything that an algorithm may know', () => {
    const [, body] = /interface Knowledge \{\n([\s\S]*?)\n\}/.exec(read(NET))!
    const members = [...body.matchAll(/(?:^ {4}|\{ )(?:readonly )?(\w+)[:(]/gm)].map(([, it]) => it)
    expect(members.length).toBeGreaterThan(8)
    const shown = namesIn(rowsOf(page, 'Knowledge'), 1)
    expect(shown).toEqual([...members, 'value', 'chosen'])
  })

  it('has every value type', () => {
    const files = ['value-types', 'counter', 'collections'].map((name) =>
      read(`src/core/language/${name}.ts`),
    )
    const types = files.flatMap((text) =>
      text
        .split(/^export /m)
        .map((part) =>
          /^(?:const|function) (\w+)(.*?|[\s\S]*?\)): ValueType</.exec(part.split('{')[0]),
        )
        .flatMap((found) => (found === null ? [] : [found[1]])),
    )
    expect(types.length).toBeGreaterThan(10)
    expect(namesIn(rowsOf(page, 'Value types')).toSorted()).toEqual(types.toSorted())
  })

  it('has every member of a display', () => {
    const members = membersOf('src/core/language/display.ts', 'Display')
    expect(namesIn(rowsOf(page, 'Displays and reasons'))).toEqual(members)
  })

  it('has every member of a theory, of a property and of a global state', () => {
    const theory = membersOf('src/core/language/theory.ts', 'Theory')
    expect(namesIn(rowsOf(page, 'Theory')).toSorted()).toEqual(theory.toSorted())
    const property = membersOf('src/core/language/problem.ts', 'Property')
    const rows = rowsOf(page, 'Properties of your own')
    expect(namesIn(rows).toSorted()).toEqual(property.toSorted())
    const seen = membersOf('src/core/language/problem.ts', 'GlobalState')
    for (const member of seen) expect(read(page)).toMatch(new RegExp(`\`${member}[\`(]`))
    const facts = membersOf('src/core/language/theory.ts', 'NetworkFacts')
    for (const fact of facts) expect(read(page)).toContain(`\`${fact}\``)
  })

  it('shows the property that the example exports', () => {
    const shown = codeBlocks(read(page)).find(({ code }) => code.includes('Property[]'))!
    expect(read('examples/smallest-first.ts')).toContain(
      shown.code.replace(/ \/\/ in every state.*/, ''),
    )
  })
})

describe('docs/networks.md', () => {
  it('has every network, with its parameters', () => {
    const forms = namesIn(rowsOf('docs/networks.md', 'Forms'))
    expect(forms.filter((form) => form.includes(':'))).toEqual(networkForms.map(({ form }) => form))
  })
})

describe('docs/scenarios.md', () => {
  it('has every field that a scenario may have', () => {
    const fields = [
      'n',
      ...membersOf('src/scenario/scenario.ts', 'Scenario'),
      ...FAULT_FIELDS,
      ...membersOf('src/scenario/fields/remarks.ts', 'Remarks'),
    ]
    expect(fields.length).toBeGreaterThan(25)
    const shown = rowsOf('docs/scenarios.md', 'Fields').map(([name]) => name.replaceAll('`', ''))
    expect(shown.toSorted()).toEqual(fields.toSorted())
  })

  it('has every setting of an aggregation', () => {
    const source = read('src/scenario/gossip/gossip-settings.ts')
    const [, common] = /const common[^{]*\{\n([\s\S]*?)\n\}\n/.exec(source)!
    const settings = [...common.matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name)
    expect(settings.length).toBeGreaterThan(8)
    const shown = namesIn(rowsOf('docs/scenarios.md', 'Gossip'))
    expect(shown).toEqual(expect.arrayContaining([...settings, 'leader']))
  })
})

describe('docs/simulating.md', () => {
  it('has every fault that a run may have', () => {
    const rows = rowsOf('docs/simulating.md', 'Faults').map(([flag]) => flag)
    const flags = rows.flatMap((cell) => [...cell.matchAll(/`--(\w+)/g)].map(([, name]) => name))
    expect([...new Set(flags)].toSorted()).toEqual(FAULT_FIELDS.toSorted())
  })
})

describe('docs/experiments.md', () => {
  const page = 'docs/experiments.md'

  it('has every measure', () => {
    const measures = measureList.map(({ name }) => name).filter((name) => name !== 'A/B')
    expect(measures.length).toBeGreaterThan(12)
    expect(namesIn(rowsOf(page, 'Measures')).toSorted()).toEqual(measures.toSorted())
  })

  it('has every field of a document', () => {
    const shown = namesIn(rowsOf(page, 'Documents').map(([name]) => [name]))
    expect(shown).toEqual([...DOCUMENT_FIELDS])
  })

  it('has every kind of claim', () => {
    const source = read('src/experiment/study/claims.ts')
    const kinds = [...source.matchAll(/^export function (\w+)\((?=[^)]*says)/gm)]
    const shown = namesIn(rowsOf(page, 'Claims'))
    expect(shown.toSorted()).toEqual(kinds.map(([, name]) => name).toSorted())
  })
})

describe('code in the documents', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]

  /** The lines of a table, each in a function of its own, where every name is known. */
  function lines(section: string, column: number): string {
    const examples = rowsOf('docs/language.md', section).map((cells) => cells[column])
    return examples
      .map((text) => text.slice(1, -1).replaceAll('\\|', '|'))
      .map((line, i) => `export function line${i}() { ${line} }`)
      .join('\n')
  }

  const KNOWN = `
import { flag, left, list, map, maybe, message, nat, numericUid, oneOf, pair, real } from 'conclave'
import { incarnation, type Net, record, set, stable, timer, type Uid, uid } from 'conclave'
import { below, bytes, counter, term, vector } from 'conclave'
type Known = 'ring' | 'n' | 'peers' | 'liveness' | 'weights' | 'direction' | 'coins'
declare const net: Net<Known | 'voters' | 'incarnation' | 'diameter'>
declare const my: { id: Uid; awaited: number; best: number; patience: number; value: number } &
  { grants: Set<number> }
const ASK = message({ from: incarnation })
declare const id: Uid
declare const link: number
const ELECTION = message({ id: uid })
const OK = message({})
const SILENCE = timer()
`

  // Against the package as it is built, as a user's project sees it.
  it('satisfies the compiler', { timeout: 120_000 }, () => {
    const folder = mkdtempSync(join(root, 'dist', 'docs-'))
    const types = rowsOf('docs/language.md', 'Value types').map((cells) => cells.at(-1)!)
    const fields = types.map((type, i) => `f${i}: ${type.slice(1, -1)}`).join(', ')
    const known = KNOWN.replace('declare const link: number', "import { link } from 'conclave'")
    const files = {
      'net.ts': `${KNOWN}${lines('The net', 2)}`,
      'knowledge.ts': `${KNOWN}${lines('Knowledge', 3)}`,
      'values.ts': `${known}export const ALL = message({ ${fields} })`,
      ...Object.fromEntries(
        pages.flatMap((page) =>
          codeBlocks(read(page))
            .filter(({ language, code }) => /^[jt]s$/.test(language) && /from 'conclave/.test(code))
            // `once` takes emitters of Node.js alone, and those of the package are others.
            .filter(({ code }) => !code.includes("from 'node:events'"))
            // Blocks of a page may import each other by name.
            .map(({ code, name }, i) => [
              join(page.replace(/\W/g, '-'), name?.endsWith('.ts') ? name : `${i}.ts`),
              code,
            ]),
        ),
      ),
    }
    for (const [name, code] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), code)
    }
    const options =
      '--noEmit --strict --ignoreConfig --allowImportingTsExtensions --module nodenext --target es2023 --types node'
    const paths = Object.keys(files).map((name) => join(folder, name))
    try {
      const tsc = join(root, 'node_modules/.bin/tsc')
      execFileSync(tsc, [...options.split(' '), ...paths], { cwd: folder, encoding: 'utf8' })
    } catch (error) {
      expect((error as { stdout: string }).stdout).toBe('')
      throw error
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the definitions of properties', () => {
  it('stand word for word on the page of conventions', () => {
    const ring = { topology: 'ring' } as const
    const problems: readonly Problem[] = [leaderPerTerm, lease, eventualLeader, selfStabilization]
    const elections = [
      ...[{}, { needs: ring }, { quiet: 'never' }, { attribute: 'value' }, { elects: 'another' }],
      ...[{ quiet: 'never', elects: 'another' }, { meet: () => {} }],
    ].flatMap((traits) =>
      [false, true].flatMap((f) => leaderElection.properties(f, traits as never)),
    )
    const others = problems.flatMap(({ properties }) =>
      typeof properties === 'function' ? properties(true, { needs: ring } as never) : properties,
    )
    const judged = [...elections, everyFairRunElects, ...elections.map(amongStanding), ...others]
    const definitions = new Set(judged.map(({ name, says }) => `${name} | ${says}`))
    const rows = rowsOf('docs/conventions.md', 'What must hold')
    expect(new Set(rows.map(([name, says]) => `${name} | ${says}`))).toEqual(definitions)
  })
})
