import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { sourceTexts } from '../../../src/core/language/theory.ts'
import { algorithmsDocument, largest, recordedIn } from '../../support/algorithms-page.ts'
import { checkedFurther } from '../../support/checked-further.ts'
import { named, preparation, promised } from '../../support/random-worlds.ts'
import { shell } from '../../support/run-command.ts'

const path = (name: string) => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url))
const page = path('algorithms.md')
const update = process.env.UPDATE_DOCS === '1'

const written = () => (existsSync(page) ? readFileSync(page, 'utf8') : '')

/** The cells of an algorithm's row. */
function rowOf(name: string): string[] {
  const row = written()
    .split('\n')
    .find((line) => line.startsWith(`| [${name}]`))
  return (row ?? '').split(' | ')
}

describe('docs/algorithms.md', () => {
  // Explored again are only the sizes that it records; a rewrite looks for the largest ones.
  it('says what the algorithms say and do', { timeout: update ? 1_800_000 : 300_000 }, async () => {
    const further = await checkedFurther(update ? '' : written())
    if (update) writeFileSync(page, algorithmsDocument(largest, further))
    else
      expect(written(), 'it is stale: npm run docs rewrites it').toBe(
        algorithmsDocument(recordedIn(written()), further),
      )
  })

  it.each(named([...promised.keys()]))('%s: measured is what theory promises', (_, algorithm) => {
    const { world } = preparation(algorithm, { n: 64 })
    const count = promised.get(algorithm)!([...world.ids])
    expect(rowOf(algorithm.name)[3]).toMatch(
      new RegExp(`^${count.toLocaleString('en-US')} messages`),
    )
  })

  it.each(named(catalogue))('%s: the table leads to its idea, proof and limits', (name) => {
    expect(rowOf(name)[0]).toContain(`(#${name})`)
    const further = written().includes(`\`conclave check ${name} `)
    expect(rowOf(name)[5].includes('(#checked-further)')).toBe(further)
    const [, section = ''] = written().split(`\n### ${name}\n`)
    const [own] = section.split('\n### ')
    for (const title of ['Idea', 'Why it is right', 'What breaks it'])
      expect(own).toContain(`**${title}.**`)
    expect(own).toContain(`\nnpx conclave run ${name} `)
  })
})

describe('the table of the whole catalogue', () => {
  const all = [...catalogue, ...aggregations].map(({ name }) => [name] as const)

  it('counts elections and aggregations', () => {
    const counts = `${catalogue.length} elections and ${aggregations.length} aggregations`
    expect(written().replace(/\s+/g, ' ')).toContain(`The whole catalogue: ${counts}.`)
  })

  it.each(all)('%s: measured, simulated, checked, clustered and drawn', (name) => {
    const cells = rowOf(name)
    expect(cells).toHaveLength(9)
    for (const cell of cells) expect(cell.replace(/^\| | \|$/g, '')).not.toBe('')
    const [, , , , simulated, checked, clustered] = cells
    expect(simulated).toMatch(/^(sync|async|cycles|pairs)(, (sync|async))?$/)
    expect(checked).toMatch(/states|within bounds|^-$|broken in/)
    expect(clustered).toMatch(/^(yes|no)$/)
  })

  it.each(all)('%s: other names are in its section', (name) => {
    const [, section = ''] = written().split(`\n### ${name}\n`)
    const own = section.split('\n### ')[0].replace(/\s+/g, ' ')
    const { theory } = [...catalogue, ...aggregations].find((one) => one.name === name)!
    for (const other of theory.also ?? []) expect(own).toContain(other)
  })
})

describe('the source texts', () => {
  const [, section] = readFileSync(path('conventions.md'), 'utf8').split('\n## The source texts\n')
  const listed = Object.entries(sourceTexts)

  it('are listed in docs/conventions.md, and each is the source of an algorithm', () => {
    const used = new Set<string>(catalogue.flatMap(({ theory }) => theory.texts ?? []))
    expect([...used].toSorted()).toEqual(listed.map(([text]) => text))
    const names = [...section.matchAll(/^- \*\*(.*?)\*\*/gm)].map(([, name]) => name)
    expect(names).toEqual(listed.map(([, name]) => name[0].toUpperCase() + name.slice(1)))
  })

  it.each(named(catalogue))('explain %s names its own', async (name, { theory }) => {
    const { out } = await shell('explain', name)
    const [, own] = /^Source texts\n((?: {2}.*\n)*)/m.exec(out)!
    const words = own.replace(/\s+/g, ' ')
    const mentioned = listed.filter(([, text]) => words.includes(text)).map(([text]) => text)
    expect(mentioned).toEqual(theory.texts ?? [])
  })
})
