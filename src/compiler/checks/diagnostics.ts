import type ts from 'typescript'
import { enumerated } from '../../core/text-format.ts'
import { suggestionFor } from '../../core/usage-error.ts'
import { missingImport } from '../bundle.ts'
import type { OwnProgram } from '../own-program.ts'
import { placeAt, type SourceProblem } from '../source-place.ts'
import { type Advice, idAdvice } from './id-advice.ts'

/** What the parser says about own files. */
export function syntaxProblems({ ts, program, own }: OwnProgram): SourceProblem[] {
  return own.flatMap((file) =>
    program.getSyntacticDiagnostics(file).map(({ start, messageText }) => {
      const text = ts
        .flattenDiagnosticMessageText(messageText, ' ')
        .replace(/\.$/, '')
        .replace(/'([^']+)'/g, '"$1"')
      const ends = file.text.slice(start).trim() === ''
      const but = ends && /expected$/.test(text) ? ', but the file ends here' : ''
      return {
        place: placeAt(file.fileName, file.text, start),
        problem: `syntax error: ${text}${but}.`,
        hint: '',
      }
    }),
  )
}

/** An import without types is not a mistake, nor is a name that the program gives a type itself. */
const IGNORED = [
  7016, // Could not find a declaration file for module
  2580, // Cannot find name 'x'. Do you need to install type definitions for node?
  2591,
]

/** What follows where a type is not known, mostly because of a mistake elsewhere. */
const CONSEQUENCES = [
  7006, // Parameter 'x' implicitly has an 'any' type.
  7031, // Binding element 'x' implicitly has an 'any' type.
  18046, // 'x' is of type 'unknown'.
]

/** A definition that is not well formed: its handlers cannot be judged before it is. */
const OF_DEFINITION = /^the definition has no|^".*" is not one of|is not a type of a field/

/** What the type check says about own files. JavaScript takes part if it asks for it. */
export function typeProblems(own: OwnProgram): SourceProblem[] {
  const found = own.own
    .filter(isChecked)
    .flatMap((file) => own.program.getSemanticDiagnostics(file))
    .filter(({ code, file }) => !IGNORED.includes(code) && file !== undefined)
  const causes = found.filter(({ code }) => !CONSEQUENCES.includes(code))
  const missing = missingNames(found, own)
  const problems = (causes.length > 0 ? causes : found).map((diagnostic) => {
    const { file, start = 0 } = diagnostic
    return {
      place: placeAt(file!.fileName, file!.text, start),
      ...explained(diagnostic, missing, own),
    }
  })
  const first = problems.filter(({ problem }) => OF_DEFINITION.test(problem))
  return withoutRepeated(first.length > 0 ? first : problems)
}

/** A mistake that is made at several places is told once, with the lines of all. */
function withoutRepeated(problems: readonly SourceProblem[]): SourceProblem[] {
  const same = new Map<string, SourceProblem[]>()
  for (const one of problems) {
    const text = `${one.place.file} ${one.hint || one.problem}`
    same.set(text, [...(same.get(text) ?? []), one])
  }
  return [...same.values()].map(([first, ...others]) => {
    const again = others.filter(({ problem }) => problem === first.problem)
    const lines = [...new Set(again.map(({ place }) => place.line))]
    const more = lines.filter((line) => line !== first.place.line)
    // An import that is missing is one mistake, wherever the name is used.
    if (more.length === 0 || first.hint.startsWith('Add: ')) return first
    const noun = more.length === 1 ? 'line' : 'lines'
    const also = `The same in ${noun} ${enumerated(more.map(String))}.`
    return { ...first, hint: first.hint === '' ? also : `${first.hint} ${also}` }
  })
}

function isChecked({ fileName, text }: ts.SourceFile): boolean {
  return /\.[mc]?tsx?$/.test(fileName) || /^\s*(\/\/|\/\*).*@ts-check\b/m.test(text)
}

/* The messages of the type check in the words of the language, with the remedy. */

/** The names of `conclave` that each file uses and does not import. */
type MissingNames = ReadonlyMap<ts.SourceFile, readonly string[]>

/** Which word of `needs` brings a member of the net. */
const NET_DECLARED_BY: Readonly<Record<string, string>> = {
  onward: "topology: 'ring'",
  n: "knows: ['n']",
  peer: "knows: ['peers']",
  up: "knows: ['liveness']",
  weight: "knows: ['weights']",
  along: "knows: ['direction']",
  places: "knows: ['direction']",
  choose: 'coins: true',
  random: 'coins: true',
  pick: 'coins: true',
  moment: 'coins: true',
}

/** The same for members of the state. */
const MY_DECLARED_BY: Readonly<Record<string, string>> = {
  id: "ids: 'unique'",
  value: "knows: ['inputs']",
  chosen: "knows: ['inputs']",
}

const NET = [
  'from',
  'links',
  'degree',
  'send',
  'sendAll',
  'sendOthers',
  'after',
  'cancel',
  'lead',
  'follow',
  'withdraw',
  'stop',
  'defer',
]

/** What every definition has, for example. */
const MISSING: Readonly<Record<string, string>> = {
  name: "name: 'my-election'",
  needs: "needs: { topology: 'ring', ids: 'unique' }",
  messages: 'messages: { ELECTION }, with all message types',
  state: 'state: {}, with the fields of a node',
  wakes: 'wakes: true if a node that a message wakes first runs start, else wakes: false',
  start: 'start(my, net) { ... }, which a node runs when it starts by itself',
  on: 'on: { ... }, with a handler for each message type',
}

const VALUE_TYPES = 'uid, nat, real, flag, oneOf, maybe, list, pair, record, set or map'

/** `members`: those of the object whose member is not known. */
type Rule = readonly [says: RegExp, words: (found: string[], members: readonly string[]) => Advice]

/** Known messages; the first one that fits decides. */
const RULES: readonly Rule[] = [
  [/^Cannot find module '(.*?)'/, ([, name]) => explanation(...missingImport(name))],
  [
    /^Property '(.+?)' does not exist on type '(?=[^']*\bAnywhere\b|Net<)/,
    ([, name]) => unknownOfNet(name),
  ],
  [
    /^Property '(.+?)' does not exist on type '(?=[^']*\bOutcome\b|My<)/,
    ([, name], members) => unknownOfState(name, members),
  ],
  [
    /^Cannot assign to '(id|status|leader|stopped)' because it is a read-only property/,
    ([, name]) =>
      explanation(
        `my.${name} cannot be assigned.`,
        name === 'id' ? '' : 'Use net.lead(), net.follow(id) and net.stop().',
      ),
  ],
  [
    /properties, but '(.+?)' does not exist in type '[\s\S]*?'\. Did you mean to write '(.+?)'/,
    ([, name, meant]) => explanation(`"${name}" is not known here.`, `Did you mean ${meant}?`),
  ],
  [
    /known properties, (?:but|and) '(.+?)' does not exist in type/,
    ([, name]) => explanation(`"${name}" is not known here.`),
  ],
  [
    /Property '(\w+)' is missing in type '[\s\S]*' but required in type 'Definition</,
    ([, name]) => explanation(`the definition has no "${name}".`, `Add ${MISSING[name]}.`),
  ],
  [
    /Property '(\w+)' is missing in type '[^\n]*' but required in type/,
    ([, name]) => explanation(`"${name}" is missing.`),
  ],
  [
    /^Type '([\s\S]*?)' is (?:not assignable to|missing the following .* from) type 'ValueType</,
    ([, type]) => explanation(`${type} is not a type of a field.`, `Write ${VALUE_TYPES}.`),
  ],
  [
    /^Type '"(.*?)"' is not assignable to type '(".*?")(?: \| undefined)?'(?:.* '"(.*?)"')?/,
    ([, given, possible, meant]) =>
      explanation(
        `"${given}" is not one of ${possible.replaceAll(' | ', ', ')}.`,
        meant === undefined ? '' : `Did you mean "${meant}"?`,
      ),
  ],
]

function explanation(problem: string, hint = ''): Advice {
  return { problem, hint }
}

/** Explains a diagnostic; one that is not known is told as it is. */
function explained(diagnostic: ts.Diagnostic, missing: MissingNames, own: OwnProgram): Advice {
  const { file, start = 0 } = diagnostic
  const text = own.ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
  const [, name] = NO_NAME.exec(text) ?? []
  if (name !== undefined) return unknownName(name, file!, missing.get(file!) ?? [], start, own)
  const aboutIds = idAdvice(diagnostic, own)
  if (aboutIds !== null) return aboutIds
  for (const [says, words] of RULES) {
    const found = says.exec(text)
    if (found !== null) return words(found, membersAt(diagnostic, own))
  }
  return explanation(`${inQuotes(mainSentence(text))}.`)
}

const NO_NAME = /^Cannot find name '(.+?)'/

/** Longer first sentences name whole types, and the last one says what differs. */
const SENTENCE_LENGTH_MAX = 120

/** The most specific sentence of a message, without its full stop. */
function mainSentence(text: string): string {
  const sentences = text.split('\n').map((line) => line.trim().replace(/\.$/, ''))
  const short = sentences.filter(({ length }) => length <= SENTENCE_LENGTH_MAX)
  return sentences[0].length <= SENTENCE_LENGTH_MAX ? sentences[0] : (short.at(-1) ?? sentences[0])
}

/** The compiler quotes by apostrophes, this program by quotation marks. */
function inQuotes(text: string): string {
  return text.replaceAll('"', "'").replace(/'([^']*)'/g, '"$1"')
}

function unknownOfNet(name: string): Advice {
  if (Object.hasOwn(NET_DECLARED_BY, name))
    return explanation(`needs does not declare net.${name}.`, `Add ${NET_DECLARED_BY[name]} to it.`)
  const meant = suggestionFor(name, [...Object.keys(NET_DECLARED_BY), ...NET])
  return explanation(
    `net.${name} does not exist.`,
    meant === null ? '' : `Did you mean net.${meant}?`,
  )
}

function unknownOfState(name: string, members: readonly string[]): Advice {
  if (Object.hasOwn(MY_DECLARED_BY, name))
    return explanation(`needs does not declare my.${name}.`, `Add ${MY_DECLARED_BY[name]} to it.`)
  const meant = suggestionFor(name, [...members, ...Object.keys(MY_DECLARED_BY)])
  if (meant !== null) return explanation(`my.${name} is not declared.`, `Did you mean my.${meant}?`)
  return explanation(
    `my.${name} is not declared.`,
    `Add it to the state with its type, for example state: { ${name}: nat }.`,
  )
}

function unknownName(
  name: string,
  file: ts.SourceFile,
  missing: readonly string[],
  at: number,
  own: OwnProgram,
): Advice {
  const problem = `"${name}" is not defined.`
  if (missing.includes(name)) return { problem, hint: `Add: ${importLine(missing, file, own)}` }
  if (/^[A-Z][A-Z\d_]*$/.test(name))
    return {
      problem,
      hint: `Declare it: const ${name} = message({ ... }), and list it in messages.`,
    }
  const parameter = missingParameter(name, at, file, own)
  if (parameter !== null) return { problem, hint: parameter }
  const meant = suggestionFor(name, conclaveExports(own))
  return { problem, hint: meant === null ? '' : `Did you mean ${meant}?` }
}

/** How the handler here is written with a parameter that it lacks; null if it is another name. */
function missingParameter(
  name: string,
  at: number,
  file: ts.SourceFile,
  { ts }: OwnProgram,
): string | null {
  let handler: ts.MethodDeclaration | undefined
  const visit = (node: ts.Node): void => {
    if (at < node.getStart(file) || at >= node.getEnd()) return
    if (ts.isMethodDeclaration(node)) handler = node
    ts.forEachChild(node, visit)
  }
  visit(file)
  const isObject = name === 'my' || name === 'net'
  if (handler === undefined)
    return isObject ? `Handlers have it as a parameter: pass ${name} on to this function.` : null
  const called = handler.name.getText(file)
  const group = handler.parent.parent
  const isReceiver = ts.isPropertyAssignment(group) && group.name.getText(file) === 'on'
  const [, fields = ''] =
    new RegExp(`\\b${called} = message\\(\\{([^}]*)`).exec(isReceiver ? file.text : '') ?? []
  const isField = new RegExp(`\\b${name}:`).test(fields)
  if (!isObject && !isField) return null
  const given = handler.parameters.map((one) => one.getText(file))
  const usual = isReceiver ? ['my', 'message', 'net'] : ['my', 'net']
  const words = usual.map((word, i) => (word === name ? name : (given[i] ?? word)))
  if (isField)
    words[1] = words[1].startsWith('{') ? words[1].replace(/ ?\}/, `, ${name} }`) : `{ ${name} }`
  return `Add ${name} to the parameters: ${called}(${words.join(', ')}).`
}

/** The members of the object whose unknown member is named here. */
function membersAt({ file, start = 0 }: ts.Diagnostic, { ts, program }: OwnProgram): string[] {
  let names: string[] = []
  const visit = (node: ts.Node): void => {
    if (start < node.getStart(file) || start >= node.getEnd()) return
    if (ts.isPropertyAccessExpression(node) && node.name.getStart(file) === start)
      names = program
        .getTypeChecker()
        .getTypeAtLocation(node.expression)
        .getProperties()
        .map(({ name }) => name)
    ts.forEachChild(node, visit)
  }
  if (file !== undefined) visit(file)
  return names
}

/** The names of `conclave` that are used and not imported, by file. */
function missingNames(found: readonly ts.Diagnostic[], own: OwnProgram): MissingNames {
  const exported = conclaveExports(own)
  const missing = new Map<ts.SourceFile, string[]>()
  for (const { file, messageText } of found) {
    const [, name] = NO_NAME.exec(own.ts.flattenDiagnosticMessageText(messageText, '\n')) ?? []
    if (file === undefined || name === undefined || !exported.includes(name)) continue
    const names = missing.get(file) ?? []
    if (!names.includes(name)) missing.set(file, [...names, name])
  }
  return missing
}

/** The names that `conclave` exports. */
function conclaveExports({ program }: OwnProgram): string[] {
  const checker = program.getTypeChecker()
  const module = program
    .getSourceFiles()
    .find(({ fileName }) => /[\\/]dist[\\/]index\.d\.ts$/.test(fileName))
  const symbol = module && checker.getSymbolAtLocation(module)
  return symbol ? checker.getExportsOfModule(symbol).map(({ name }) => name) : KNOWN
}

/** Where the file imports nothing from conclave, its declarations are not loaded. */
const KNOWN = [
  'algorithm',
  'message',
  'timer',
  'left',
  'right',
  'uid',
  'nat',
  'link',
  'real',
  'flag',
  'oneOf',
  'maybe',
  'list',
  'pair',
  'record',
  'set',
  'map',
  'stable',
  'simulate',
  'check',
]

/** The import with which the file would have these names, too. */
function importLine(names: readonly string[], file: ts.SourceFile, { ts }: OwnProgram): string {
  const present = file.statements.find(
    (one): one is ts.ImportDeclaration =>
      ts.isImportDeclaration(one) &&
      ts.isStringLiteral(one.moduleSpecifier) &&
      one.moduleSpecifier.text === 'conclave',
  )
  const bindings = present?.importClause?.namedBindings
  const imported =
    bindings !== undefined && ts.isNamedImports(bindings)
      ? bindings.elements.map((one) => one.getText(file))
      : []
  const bare = (name: string) => name.replace(/^type /, '').toLowerCase()
  const all = [...imported, ...names].sort((a, b) => (bare(a) < bare(b) ? -1 : 1))
  return `import { ${all.join(', ')} } from 'conclave'`
}
