import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const FOLDER = new URL('./', import.meta.url)
const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(css|tsx?)$/.test(path) && !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(new URL(path, FOLDER), 'utf8') }))
const styles = sources.filter(({ path }) => path.endsWith('.css'))

describe('styles', () => {
  it('use only tokens that there are', () => {
    const known = new Set(
      sources.flatMap(({ text }) =>
        [...text.matchAll(/(--[a-z][\w-]*)'?:/g)].map(([, name]) => name),
      ),
    )
    const used = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => ({ path, name })),
    )
    expect(used.length).toBeGreaterThan(500)
    expect(used.filter(({ name }) => !known.has(name))).toEqual([])
  })

  it('take sizes of type from one scale, and distances from another', () => {
    const own = /^ *(font-size|gap|padding[\w-]*|margin[\w-]*): [^;]*?\d(rem|px)\b/gm
    const found = styles.flatMap(({ path, text }) =>
      [...text.matchAll(own)].map(([line]) => `${path}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })
})
