import { describe, expect, it } from 'vitest'
import { instrument } from '../../../src/compiler/coverage/instrument.ts'
import { loadTypeScript } from '../../../src/compiler/typescript.ts'
import type { CodeCoverage } from './coverage.ts'
import { type CodeSection, sectionsOf } from './listing.ts'

const { ts } = await loadTypeScript()

const SOURCE = `const other = () => 'never'

export const mine = algorithm({
  on: {
    /** Larger ids pass. */
    TOKEN(my, { id }, net) {
      if (id > my.id) net.send(left, TOKEN, { id }) // 1 hop
      else my.done = \`as it is\`
    },
  },
})
`
const file = ts.createSourceFile('mine.ts', SOURCE, ts.ScriptTarget.ES2022, true)
const { pieces, functions, aliases } = instrument(ts, file)
const own = { path: 'mine.ts', source: SOURCE, compiled: '', base: 100, pieces, functions, aliases }

/** The sections where the pieces with these texts have run. */
function sections(...texts: readonly string[]): CodeSection[] {
  const ran = pieces.flatMap(([from, to], i) =>
    texts.includes(SOURCE.slice(from, to)) ? [100 + i] : [],
  )
  expect(ran).toHaveLength(texts.length)
  const coverage = { files: [own], ever: new Set(ran) } as unknown as CodeCoverage
  return sectionsOf(coverage, new Set(ran))
}

function textOf({ lines }: CodeSection): string {
  return lines.map(({ spans }) => spans.map(({ text }) => text).join('')).join('\n')
}

describe('the listing of code', () => {
  it('has the handlers without their indentation, under the event that they handle', () => {
    const [handler, ...others] = sections()
    expect(others).toEqual([])
    expect(handler.title).toBe('When token arrives')
    expect(textOf(handler)).toBe(
      `${SOURCE.slice(SOURCE.indexOf('/**'), SOURCE.indexOf('    },')).replaceAll(/^ {4}/gm, '')}}`,
    )
  })

  it('marks what has run, and nothing else', () => {
    const [{ lines }] = sections('if (id > my.id)', 'my.done = `as it is`')
    const ran = lines.map(({ spans }) => spans.map(({ text, ran }) => (ran ? text : '')).join(''))
    expect(ran.filter((text) => text !== '')).toEqual(['if (id > my.id)', 'my.done = `as it is`'])
    expect(lines.filter((line) => line.ran)).toHaveLength(2)
  })

  it('has titles where a function makes the definition, or handlers have other names', () => {
    const source = `export const made = ({ name }) => {
  function pushed(my) {
    my.count++
  }
  return algorithm({
    name,
    row: {
      start(row) {
        row.fill(0)
      },
    },
    start(my, net) {
      net.after(1, TICK)
    },
    on: name === 'x' ? { PUSH: pushed } : { [name]: pushed },
    timeout: {
      TICK(my, net) {
        net.sendAll(PUSH, my)
      },
    },
  })
}
`
    const made = ts.createSourceFile('made.ts', source, ts.ScriptTarget.ES2022, true)
    const { text: _, ...parts } = instrument(ts, made)
    const files = [{ path: 'made.ts', source, compiled: '', base: 0, ...parts }]
    const ever = new Set(parts.pieces.keys())
    const listed = sectionsOf({ files, ever } as unknown as CodeCoverage, null)
    const titles = listed.map((section) => [textOf(section).split('(')[0], section.title])
    expect(titles).toEqual([
      ['function pushed', 'When push arrives'],
      ['start', null],
      ['start', 'When the node starts'],
      ['TICK', 'When timer tick fires'],
    ])
  })

  it('colours comments, keywords, strings and numbers', () => {
    const [{ lines }] = sections()
    const kinds = new Map(lines.flatMap(({ spans }) => spans.map(({ text, kind }) => [text, kind])))
    expect(kinds.get('// 1 hop')).toBe('comment')
    expect(kinds.get('/** Larger ids pass. */')).toBe('comment')
    expect(kinds.get('if')).toBe('keyword')
    expect(kinds.get('`as it is`')).toBe('string')
  })
})
