import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import * as bounds from '../../../src/algorithms/bounds.ts'
import * as raftDisplay from '../../../src/algorithms/complete/raft-display.ts'
import * as raftInvariant from '../../../src/algorithms/complete/raft-invariant.ts'
import * as raftState from '../../../src/algorithms/complete/raft-state.ts'
import * as positiveTimes from '../../../src/algorithms/positive-times.ts'
import * as reasons from '../../../src/algorithms/reasons.ts'
import * as core from '../../../src/core/index.ts'
import * as problems from '../../../src/problems/index.ts'

/* Bugs in the definitions that are proved: every small change of every line of their handlers. */

/** A change of the text of a file, in one place. */
export interface ProofMutant {
  readonly file: string
  /** The changed file, where it is another. */
  readonly in: string
  readonly at: number
  readonly from: string
  readonly to: string
  /** The changed line, for reports. */
  readonly line: string
}

const folder = fileURLToPath(new URL('../../../src/algorithms/', import.meta.url))

/** Definitions, and the parts of their files that say what nodes do. */
const PARTS: readonly (readonly [file: string, changed: string, from: RegExp, to: RegExp])[] = [
  ['ring/lcr.ts', 'ring/lcr.ts', / {2}start\(/, / {2}invariant:/],
  ['ring/chang-roberts.ts', 'ring/chang-roberts.ts', / {2}start\(/, / {2}invariant:/],
  ['ring/le-lann.ts', 'ring/le-lann.ts', / {2}start\(/, / {2}invariant:/],
  ['ring/franklin.ts', 'ring/franklin.ts', / {2}start\(/, / {2}invariant:/],
  ...(['ring/hirschberg-sinclair.ts', 'ring/hirschberg-sinclair-one-way.ts'] as const).map(
    (file) => [file, file, / {2}start\(/, / {2}invariant:/] as const,
  ),
  ['complete/raft.ts', 'complete/raft.ts', / {2}timeout: \{/, / {2}invariant,/],
  ['complete/raft.ts', 'complete/raft.ts', /function stand/, /$(?![\s\S])/],
  ['complete/raft.ts', 'complete/raft-state.ts', /export const state/, /export const params/],
]

/** What is replaced, and by what. */
const CHANGES: readonly (readonly [what: RegExp, ...by: readonly string[]])[] = [
  [/ > /g, ' >= ', ' < ', ' !== '],
  [/ < /g, ' <= ', ' > '],
  [/ >= /g, ' > ', ' < '],
  [/ <= /g, ' < ', ' > '],
  [/ === /g, ' !== ', ' >= ', ' <= '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/\b(?:\w+(?:\.\w+)*) (?:[<>]=?|[!=]==) (?:\w+(?:\.\w+)*) && /g, ''],
  [/ && (?:\w+(?:\.\w+)*) (?:[<>]=?|[!=]==) (?:\w+(?:\.\w+)*)/g, ''],
  [/!(?=my\.\w+|granted|net\.)/g, ''],
  [/\bleft\b/g, 'right'],
  [/\bright\b/g, 'left'],
  [/net\.onward/g, 'net.from', 'left'],
  [/(?<=send\()net\.from/g, 'net.onward', 'right'],
  [/\bif \((?!.*\{ *$).*\) (?=\w)/g, 'if (true) ', 'if (false) '],
  [/\bif \(.*\) (?=\{)/g, 'if (true) ', 'if (false) '],
  [/^ +(?:net|my)\.[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)?$/gm, ';'],
  [/^ +(?:become|wait|count|catchUp|beat|stand|lead)\([^{}\n]*\)$/gm, ';'],
  [/\{ id \}\)/g, '{ id: my.id })'],
  [/\{ id: my\.(?:id|early) \}/g, '{ id: my.leader ?? my.id }'],
  [/(?<!my, )\{ id,/g, '{ id: my.id,'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\breturn (?=\w)/g, ''],
  [/\breturn$/gm, ';'],
  [/net\.stop\(\)/g, 'net.lead()'],
  [/net\.follow\(/g, 'net.lead(', 'void ('],
  [/net\.lead\(/g, 'net.stop('],
  [/my\.id\b/g, '(my.leader ?? my.id)'],
  [/my\.heard = id/g, 'my.heard = my.id'],
  [/stable\((\w+(?:\(\w+\))?)\)/g, '$1'],
  [/my\.term\+\+/g, 'my.term = my.term', 'my.voted = null'],
  [/my\.term \+ 1/g, 'my.term'],
  [/my\.votes\.add\(net\.from\)/g, 'my.votes.delete(net.from)'],
]

/** All of them, those of a definition in the order of its text. */
export function proofMutants(): ProofMutant[] {
  const found = PARTS.flatMap(([file, changed, begin, end]) => {
    const text = readFileSync(resolve(folder, changed), 'utf8')
    const start = text.search(begin)
    const length = text.slice(start).search(end)
    if (start < 0 || length < 0) throw new Error(`${changed} has no part ${begin} to ${end}`)
    return mutantsOf(file, changed, text, start, start + length)
  })
  const texts = new Map(found.map((mutant) => [mutatedText(mutant), mutant]))
  return [...texts.values()]
}

function mutantsOf(
  file: string,
  changed: string,
  text: string,
  start: number,
  end: number,
): ProofMutant[] {
  return CHANGES.flatMap(([what, ...by]) =>
    [...text.slice(start, end).matchAll(what)].flatMap((match) =>
      by.map((to) => {
        const at = start + match.index
        const from = match[0]
        const replaced = from.replace(new RegExp(what.source, 'm'), to)
        const result = what.source.startsWith('stable') ? replaced : to
        const [line] = text.slice(text.lastIndexOf('\n', at) + 1 || at).split('\n')
        return { file, in: changed, at, from, to: result, line: line.trim() || from.trim() }
      }),
    ),
  )
}

function mutatedText({ in: changed, at, from, to }: ProofMutant): string {
  const text = readFileSync(resolve(folder, changed), 'utf8')
  return text.slice(0, at) + to + text.slice(at + from.length)
}

/** The modules that definitions import, shared with the tests. */
const MODULES: Readonly<Record<string, unknown>> = {
  'core/index.ts': core,
  'problems/index.ts': problems,
  'algorithms/bounds.ts': bounds,
  'algorithms/reasons.ts': reasons,
  'algorithms/positive-times.ts': positiveTimes,
  'complete/raft-display.ts': raftDisplay,
  'complete/raft-invariant.ts': raftInvariant,
  'complete/raft-state.ts': raftState,
}

/** The algorithm with the bug. */
export function mutated(mutant: ProofMutant): core.Algorithm {
  const other = mutant.in === mutant.file ? null : evaluated(mutant.in, mutatedText(mutant), null)
  const text =
    other === null ? mutatedText(mutant) : readFileSync(resolve(folder, mutant.file), 'utf8')
  const exported = evaluated(mutant.file, text, other && withInvariant(mutant.in, other))
  return Object.values(exported)[0] as core.Algorithm
}

/** A changed module of Raft, and its invariant, which speaks of the messages of that module. */
function withInvariant(changed: string, module: Record<string, unknown>) {
  const file = 'complete/raft-invariant.ts'
  const others = { [basename(changed)]: module }
  const invariant = evaluated(file, readFileSync(resolve(folder, file), 'utf8'), others)
  return { ...others, [basename(file)]: invariant }
}

function evaluated(
  file: string,
  text: string,
  others: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> {
  const { code } = transformSync(text, { loader: 'ts', format: 'cjs', target: 'node20' })
  const module = { exports: {} as Record<string, unknown> }
  const need = (name: string) => {
    const path = resolve(folder, dirname(file), name)
    const key = `${basename(dirname(path))}/${basename(path)}`
    const found = others?.[basename(path)] ?? MODULES[key]
    if (found === undefined) throw new Error(`${file} imports ${name}, which is not given`)
    return found
  }
  new Function('require', 'module', 'exports', code)(need, module, module.exports)
  return module.exports
}
