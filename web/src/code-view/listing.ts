import type { CodeCoverage, CoveredFile } from './coverage.ts'

/** A part of a line in one colour; `ran` where it has just run. */
export interface CodeSpan {
  readonly text: string
  readonly kind: TokenKind
  readonly ran: boolean
}

export interface CodeLine {
  readonly spans: readonly CodeSpan[]
  readonly ran: boolean
}

/** A function of the definition: a handler, or one that handlers call. */
export interface CodeSection {
  /** When it runs; null for functions that handlers call. */
  readonly title: string | null
  readonly lines: readonly CodeLine[]
  readonly ran: boolean
}

export type TokenKind = 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'rest'

const KEYWORDS = new Set(
  `as async await break case catch const continue default delete do else export extends false
  finally for from function if in instanceof let new null of return satisfies switch this throw
  true try typeof undefined void while yield`.split(/\s+/),
)

/** Comments, strings, numbers and names; everything else is one character or space. */
const TOKEN = new RegExp(
  [
    String.raw`(?<comment>//[^\n]*|/\*[^]*?\*/)`,
    String.raw`(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\x60(?:\\.|[^\x60\\])*\x60)`,
    String.raw`(?<number>\b\d[\d_.]*n?\b)`,
    String.raw`(?<name>[\p{L}_$][\p{L}\p{N}_$]*)`,
    String.raw`(?<rest>\s+|[^])`,
  ].join('|'),
  'gu',
)

/** Parts of a definition whose functions are its handlers. */
const HANDLERS: ReadonlySet<string> = new Set(['start', 'on', 'timeout', 'meet', 'down', 'up'])

/**
 * The functions to be shown: the handlers of the definition, and all others that run at some time.
 * `ran` are the pieces that have just run, or null where that is not known.
 */
export function sectionsOf(coverage: CodeCoverage, ran: ReadonlySet<number> | null): CodeSection[] {
  const { files, ever } = coverage
  const named = (file: CoveredFile | undefined) =>
    file?.aliases.map(({ path, name }) => [name, withinDefinition(path, file)] as const) ?? []
  return files.flatMap((file, i) => {
    const aliases = new Map([...named(files[0]), ...named(file)])
    return file.functions.flatMap(({ path: whole, span }) => {
      const path = withinDefinition(whole, file)
      const pieces = piecesIn(file, span)
      const runs = pieces.some((piece) => ever.has(file.base + piece))
      if (!runs && (i > 0 || !HANDLERS.has(path[0]))) return []
      const title = titleOf(path) ?? titleOf(aliases.get(path.at(-1) ?? '') ?? [])
      return [sectionOf(file, title, span, pieces, ran)]
    })
  })
}

/** The properties around a function, without the function that makes the definition if one does. */
function withinDefinition(
  path: readonly string[],
  { functions, aliases }: CoveredFile,
): readonly string[] {
  const makes = (before: readonly string[]) =>
    [...functions, ...aliases].some(
      ({ path: other }) =>
        ['on', 'timeout'].includes(other[before.length]) &&
        other.length > before.length + 1 &&
        before.every((name, i) => other[i] === name),
    )
  const at = path.findIndex((name, i) => HANDLERS.has(name) && makes(path.slice(0, i)))
  return at < 0 ? path : path.slice(at)
}

function piecesIn({ pieces }: CoveredFile, [from, to]: readonly [number, number]): number[] {
  return [...pieces.keys()].filter((piece) => pieces[piece][0] >= from && pieces[piece][1] <= to)
}

/** When a function runs, from the properties around it. */
function titleOf(path: readonly string[]): string | null {
  const [first, second] = path
  const word = second?.toLowerCase().replaceAll('_', ' ')
  if (first === 'on') return `When ${word} arrives`
  if (first === 'timeout') return `When timer ${word} fires`
  if (path.length > 1) return null
  if (first === 'start') return 'When the node starts'
  if (first === 'meet') return 'When two nodes meet'
  if (first === 'down') return 'When a neighbour goes down'
  return first === 'up' ? 'When a neighbour comes up' : null
}

function sectionOf(
  { source, pieces, base }: CoveredFile,
  title: string | null,
  [from, to]: readonly [number, number],
  inside: readonly number[],
  ran: ReadonlySet<number> | null,
): CodeSection {
  const lit = new Uint8Array(to - from)
  // Of pieces in each other the inner one decides.
  for (const piece of inside.toSorted((a, b) => size(pieces[b]) - size(pieces[a]))) {
    const [begins, ends] = pieces[piece]
    lit.fill(ran?.has(base + piece) ? 1 : 0, begins - from, ends - from)
  }
  const indent = from - (source.lastIndexOf('\n', from - 1) + 1)
  const lines = linesOf(source.slice(from, to), lit).map((spans, i) => {
    const shown = i === 0 ? spans : withoutIndent(spans, indent)
    return { spans: shown, ran: shown.some((span) => span.ran) }
  })
  return { title, lines, ran: lines.some((line) => line.ran) }
}

function size([from, to]: readonly [number, number]): number {
  return to - from
}

/** The tokens of a text by lines, cut where they begin or cease to have run. */
function linesOf(text: string, lit: Uint8Array): CodeSpan[][] {
  const lines: CodeSpan[][] = [[]]
  for (const match of text.matchAll(TOKEN)) {
    const kind = kindOf(match)
    let start = match.index
    const end = start + match[0].length
    for (let i = start; i < end; i++) {
      const breaks = text[i] === '\n'
      if (!breaks && i + 1 < end && lit[i + 1] === lit[i] && text[i + 1] !== '\n') continue
      const part = text.slice(start, breaks ? i : i + 1)
      if (part !== '') add(lines.at(-1)!, { text: part, kind, ran: lit[start] === 1 })
      if (breaks) lines.push([])
      start = i + 1
    }
  }
  return lines
}

function kindOf({ groups = {} }: RegExpMatchArray): TokenKind {
  if (groups.name !== undefined) return KEYWORDS.has(groups.name) ? 'keyword' : 'name'
  const [kind] = Object.entries(groups).find(([, text]) => text !== undefined) ?? ['rest']
  return kind as TokenKind
}

/** Spans that look the same are one. */
function add(line: CodeSpan[], span: CodeSpan): void {
  const last = line.at(-1)
  const plain = (kind: TokenKind) => kind === 'name' || kind === 'rest'
  const same =
    last?.ran === span.ran && (last.kind === span.kind || (plain(last.kind) && plain(span.kind)))
  if (last !== undefined && same) line[line.length - 1] = { ...last, text: last.text + span.text }
  else line.push(span)
}

function withoutIndent(spans: readonly CodeSpan[], indent: number): CodeSpan[] {
  const [first, ...rest] = spans
  if (first === undefined) return []
  const cut = Math.min(indent, first.text.length - first.text.trimStart().length)
  const text = first.text.slice(cut)
  return text === '' ? rest : [{ ...first, text }, ...rest]
}
