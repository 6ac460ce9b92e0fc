import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(`${root}docs/glossary.md`, 'utf8')

/** The rows of all tables, as their cells. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (-+|term) /.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )

/** Terms of the field that a newcomer looks for first. */
const EXPECTED = [
  ...['sleep set', 'persistent set', 'visited set', 'fingerprint', 'state vector', 'interner'],
  ...['weak fairness', 'strongly connected component', 'calendar queue'],
  ...['message codec', 'fault plan', 'failure detector', 'termination detection', 'minimise'],
  ...['peer sampling', 'node', 'position', 'id', 'member', 'timer', 'message type', 'restart'],
  ...['permutation of ids', 'hand-over'],
]

describe('docs/glossary.md', () => {
  it('has the terms that the literature uses, each once', () => {
    const terms = rows.map(([term]) => term)
    expect(terms).toEqual(expect.arrayContaining(EXPECTED))
    const repeated = terms.filter((term, i) => terms.indexOf(term) < i)
    expect(repeated.filter((term) => term !== 'frame')).toEqual([])
  })

  it.each(rows.map(([term, meaning, files]) => ({ term, meaning, files })))(
    '$term: has a meaning, and its files exist',
    ({ meaning, files }) => {
      expect(meaning).toMatch(/\.$/)
      const paths = [...files.matchAll(/`([^`]+)`/g)].map(([, path]) => path)
      expect(paths.length).toBeGreaterThan(0)
      expect(paths.filter((path) => !existsSync(`${root}${path}`))).toEqual([])
    },
  )
})
