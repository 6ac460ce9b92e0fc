import type { Aggregation } from '../../algorithms/aggregation.ts'
import { assumptionsOf, modelOf } from '../../algorithms/assumptions.ts'
import { byMessages, offers } from '../../algorithms/kinds.ts'
import { traitsOf } from '../../algorithms/traits.ts'
import type { Algorithm, Bound, Theory } from '../../core/index.ts'
import { boundWords, sourceTexts } from '../../core/language/theory.ts'
import { wrapped } from '../../core/text-format.ts'
import { propertiesOf } from '../../problems/algorithm-properties.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { parametersOf } from '../../scenario/prepare.ts'
import { meaningOf, parameterLines } from '../input/parameters.ts'
import { isCode, referencedDefinition } from '../input/user-algorithm.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { coloursFor, columns, columnsWithin, widthOf } from '../terminal/format.ts'
import { Verb } from '../verb.ts'

/** Texts are indented under their titles. */
const INDENT = 2

const EXAMPLES = `
Examples:
  conclave explain hirschberg-sinclair
  conclave explain mine.ts
  conclave explain anonymous`

export function explainCommand(io: Io, leave: Leave): Verb {
  return new Verb('explain')
    .description('explain an algorithm: idea, assumptions, cost, messages, parameters')
    .argument(
      '<algorithm>',
      'a name from conclave list, your own algorithm (.ts), or anonymous: why ids or random choices are needed',
    )
    .group('output')
    .option('--json', 'print it as JSON')
    .about(EXAMPLES)
    .action(async (name: string, { json }: { json?: true }) => {
      const text = name === anonymousRings.name ? null : await explained(name, json, io)
      io.out(text ?? (json ? `${JSON.stringify(anonymousRings)}\n` : impossibility(io)))
      leave(EXIT.done)
    })
}

/** What is known of a definition: of an own one perhaps no more than what it declares. */
async function explained(reference: string, json: true | undefined, io: Io): Promise<string> {
  const definition = await referencedDefinition(reference)
  const own = isCode(reference) ? reference : null
  return json ? `${JSON.stringify(documentOf(definition, own))}\n` : page(definition, own, io)
}

/** The fields of a node by name, with their types. */
function stateOf({ layout }: Algorithm): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(layout.own).map(([name, { schema }]) => [name, schema]))
}

function documentOf(definition: Algorithm | Aggregation, own: string | null) {
  const { name, theory } = definition
  const { bounds, ...about } = theory
  const messages = byMessages(definition).kinds.map((kind) => {
    return { name: kind.name, fields: kind.codec.schema }
  })
  const parameters = parametersOf(definition).map(({ otherwise, choices, ...parameter }) => ({
    name: parameter.name,
    says: meaningOf(parameter),
    default: otherwise,
    ...(choices && { choices }),
  }))
  const file = own === null ? {} : { file: own }
  if (!offers(definition, 'lead')) return { name, ...theory, messages, parameters, ...file }
  return {
    name,
    needs: definition.needs,
    ...about,
    bounds: bounds.map(({ of, kind, formula, where }) => ({ of, kind, formula, where })),
    invariant: Object.keys(definition.invariant()),
    messages,
    parameters,
    properties: definitionsOf(definition, false),
    ...(traitsOf(definition).crashes && { withFaults: definitionsOf(definition, true) }),
    ...file,
    ...(own !== null && { state: stateOf(definition) }),
  }
}

/** What must hold in runs without faults, or with them. */
function definitionsOf(algorithm: Algorithm, faults: boolean) {
  return propertiesOf(algorithm, faults).map(({ name, when, says = name }) => {
    return { name, when, says }
  })
}

function propertyPart(
  algorithm: Algorithm,
  section: ReturnType<typeof sections>,
  width: number,
): string[] {
  const listed = (title: string, faults: boolean) =>
    section(
      title,
      definitionsOf(algorithm, faults).flatMap(({ name, says }) =>
        wrapped(name === says ? `- ${name}` : `- ${name}: ${says}`, width),
      ),
    )
  const { crashes } = traitsOf(algorithm)
  return [
    ...listed('What must hold', false),
    ...(crashes ? listed('What must hold with crashes, recoveries and cut links', true) : []),
  ]
}

function page(definition: Algorithm | Aggregation, own: string | null, io: Io): string {
  const { name, theory } = definition
  const { kinds } = byMessages(definition)
  const election = offers(definition, 'lead') ? definition : null
  const paint = coloursFor(io)
  const section = sections(io)
  const width = widthOf(io) - INDENT
  const stated = (title: string, text: string) =>
    text === '' ? [] : section(title, wrapped(text, width))
  // What never ends has no total: its cost in the long run stands in words.
  const inWords = theory.bounds.length === 0 || election?.quiet === 'never'
  const bounds = [
    ...(inWords ? wrapped(theory.cost, width) : []),
    ...columnsWithin(theory.bounds.map(boundRow), width),
  ]
  const messages = kinds.length > 0 ? columnsWithin(kinds.map(messageRow), width) : ['none']
  const assumptions = assumptionsOf(definition).flatMap((text) => wrapped(text, width))
  const tried = election ? { ...theory, example: example(election, own) } : theory
  return `${[
    `${paint.bold(name)}  ${paint.dim(theory.authors)}`,
    ...stated('Also known as', (theory.also ?? []).join(', ')),
    ...stated('Idea', theory.idea),
    ...section('Assumes', assumptions),
    ...(election ? stated('Problem', problemText(election)) : []),
    ...(election ? propertyPart(election, section, width) : []),
    ...stated('Why it is right', theory.because),
    ...(election ? invariantPart(election, own, section, width) : []),
    ...section('Cost', bounds),
    ...section('Messages', messages),
    ...(election && own !== null ? section('State', stateLines(election)) : []),
    ...section('Parameters', parameterLines(parametersOf(definition), width)),
    ...(election ? variantPart(election, section, width) : []),
    ...(election ? attributePart(election, section, width) : []),
    ...stated('What breaks it', theory.breaks),
    ...comparison(theory, section, width),
    ...(own ? [] : section('Source texts', wrapped(textsOf(theory), width))),
    ...tryPart(tried, section, width),
  ].join('\n')}\n`
}

/** What else it does with other parameters. */
function variantPart(
  algorithm: Algorithm,
  section: ReturnType<typeof sections>,
  width: number,
): string[] {
  return variantsOf(algorithm).flatMap(([setting, variant]) =>
    section(`With --set ${setting}`, [
      ...wrapped(modelOf(variant.needs), width),
      ...columnsWithin(variant.theory.bounds.map(boundRow), width),
      ...columnsWithin(variant.kinds.map(messageRow), width),
    ]),
  )
}

/** The clauses that a definition states; tests show that those of the catalogue are proved. */
function invariantPart(
  algorithm: Algorithm,
  own: string | null,
  section: ReturnType<typeof sections>,
  width: number,
): string[] {
  const clauses = Object.keys(algorithm.invariant())
  if (clauses.length === 0) return []
  const command = commandLine('prove', own ?? algorithm.name, {})
  const title = own === null ? 'Proved for every n' : 'Invariant'
  const says = own === null ? `by ${command}, from:` : `for ${command}, which tries to prove it:`
  return section(title, [
    ...wrapped(says, width),
    ...clauses.flatMap((name) => wrapped(`- ${name}`, width)),
  ])
}

/** What is judged, where it is not an election that ends. */
function problemText({ problem, quiet }: Algorithm): string {
  if (problem === null && quiet === null) return ''
  const name = problem?.name ?? 'leader election'
  return quiet === null ? name : `${name}; it never falls silent, and must be stable`
}

/** What another algorithm in its place costs where an attribute decides. */
function attributePart(
  algorithm: Algorithm,
  section: ReturnType<typeof sections>,
  width: number,
): string[] {
  const { byAttribute, kinds } = algorithm
  if (typeof byAttribute !== 'function') return []
  const other = byAttribute(algorithm)
  const known = new Set(kinds.map(({ name }) => name))
  return section('With --elect-by', [
    ...wrapped(other.theory.idea, width),
    ...columnsWithin(other.theory.bounds.map(boundRow), width),
    ...columnsWithin(other.kinds.filter(({ name }) => !known.has(name)).map(messageRow), width),
  ])
}

function stateLines(algorithm: Algorithm): string[] {
  const fields = Object.entries(stateOf(algorithm))
  return fields.length > 0 ? columns(fields) : ['no fields']
}

/** The page on what is impossible without ids or random choices. */
function impossibility(io: Io): string {
  const { name, title, sections: parts, examples } = anonymousRings
  const paint = coloursFor(io)
  const section = sections(io)
  const width = widthOf(io) - INDENT
  return `${[
    `${paint.bold(name)}  ${paint.dim(title)}`,
    ...parts.flatMap(([head, text]) => section(head, wrapped(text, width))),
    ...section('Try', columns(examples)),
  ].join('\n')}\n`
}

function sections(io: Io) {
  const paint = coloursFor(io)
  return (title: string, lines: readonly string[]) => [
    '',
    paint.bold(title),
    ...lines.map((line) => `  ${line}`),
  ]
}

/** The cost of another algorithm for the same purpose, if the theory compares them. */
function comparison(
  { comparison: other }: Theory,
  section: ReturnType<typeof sections>,
  width: number,
): string[] {
  if (other === undefined) return []
  return section(other.title, [
    ...wrapped(other.says, width),
    ...other.commands.flatMap((line) => continued(line, width)),
  ])
}

/** The settings that select another definition, and that definition. */
function variantsOf({ params, variant }: Algorithm): [setting: string, variant: Algorithm][] {
  return Object.entries(params).flatMap(([param, { choices = [] }]) =>
    choices.flatMap((choice): [string, Algorithm][] => {
      const other = variant({ [param]: choice })
      return other === null ? [] : [[`${param}=${choice}`, other]]
    }),
  )
}

/** What the theory says to try; else the check of a small network. */
function example({ name, theory }: Algorithm, own: string | null): string {
  return theory.example || commandLine('check', own ?? name, { n: 3 })
}

/** The command to try, where the theory has one. */
function tryPart(
  { example }: Theory,
  section: ReturnType<typeof sections>,
  width: number,
): string[] {
  return example === '' ? [] : section('Try', continued(example, width))
}

/** A command over several lines, as a shell takes it. */
function continued(command: string, width: number): string[] {
  // The name of the program may be longer here.
  const lines = wrapped(command.split(/ (?=-)/), width - 2 - 'npx '.length)
  return lines.map((line, i) => {
    const indented = i === 0 ? line : `  ${line}`
    return i < lines.length - 1 ? `${indented} \\` : indented
  })
}

function messageRow({ name, codec, announces }: Algorithm['kinds'][number]): string[] {
  const fields = codec.schema.replaceAll(',', ', ') || 'no fields'
  return [name, announces ? `${fields}; the announcement, not counted in the bounds` : fields]
}

function boundRow({ of, kind, formula, where }: Bound): string[] {
  return [of, boundWords[kind], formula, where ?? '']
}

function textsOf({ texts = [] }: Theory): string {
  if (texts.length === 0) return 'none of the source texts; see the authors'
  return `${texts.map((text) => sourceTexts[text]).join('; ')} (see docs/conventions.md)`
}

/** The page on why nodes without ids cannot elect a leader. */
export const anonymousRings = {
  name: 'anonymous',
  title: 'why no deterministic algorithm elects a leader on an anonymous ring',
  sections: [
    [
      'Claim',
      'If the nodes of a ring have no ids, or all the same id, and run the same deterministic program, then no program elects exactly one leader, however long it runs. Synchronous rounds, a simultaneous start, a known n and a bidirectional ring do not help. Angluin 1980.',
    ],
    [
      'Before round 1',
      'All nodes start at the same time in the same state, because they run the same program and nothing distinguishes them. The ring looks the same from every position.',
    ],
    [
      'From round r to round r + 1',
      'Assume that all states are equal after round r. Equal programs in equal states send equal messages: what one node sends to the left, all nodes send to the left, and likewise to the right. So every node receives the same messages in round r + 1, and all nodes go from the same state to the same state. All states are equal again.',
    ],
    [
      'Conclusion',
      'All states are equal after every round. When one node becomes leader, all n nodes become leaders in the same round. With n above 1 there is never exactly one leader. Asynchronous rings are no easier, because a synchronous run is one of their runs.',
    ],
    [
      'What breaks the symmetry',
      'Ids: a node compares its own id with the ids it receives, so two nodes that receive the same messages may act differently. Every algorithm of conclave list without the word anonymous does that. Randomness: two nodes in the same state may draw different numbers. itai-rodeh draws ids at random, and draws again if the largest is not unique; it must know n to recognise its own token, and it terminates with probability 1, not within a bounded number of rounds. A position that looks different, such as the centre of a star: a ring has none.',
    ],
  ],
  examples: [
    ['conclave run lcr -n 6 --ids same', 'all nodes become leaders'],
    ['conclave run franklin -n 6 --ids same', 'two directions do not help'],
    ['conclave run time-slice -n 6 --ids same', 'nor do rounds and a known n'],
    ['conclave run itai-rodeh -n 6 --ids same', 'randomness helps'],
  ],
} as const
