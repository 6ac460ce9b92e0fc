import type { NetworkForm } from '../../../src/core/networks/network.ts'

/** A network as the form shows it: its kind, and its numbers by their names. */
export interface NetworkText {
  readonly kind: string
  readonly numbers: readonly { readonly name: string; readonly value: string }[]
  /** The links one by one; null where the network is written by numbers. */
  readonly links: string | null
}

/** Small initial networks; the examples of the help text are larger. */
const STARTS: Readonly<Record<string, string>> = {
  ring: 'ring:8',
  path: 'path:8',
  star: 'star:8',
  complete: 'complete:8',
  grid: 'grid:4x4',
  torus: 'torus:4x4',
  hypercube: 'hypercube:4',
  tree: 'tree:15:2',
  random: 'random:16:0.25',
  'k-out': 'k-out:20:3',
  'small-world': 'small-world:20:4:0.25',
  'scale-free': 'scale-free:24:2',
  geometric: 'geometric:24:0.35',
  edges: 'edges:0-1,1-2,2-3,3-0,0-2',
}

/** A kind of network that a page can build. */
export interface NetworkKind {
  readonly kind: string
  readonly form: string
  readonly meaning: string
}

/** Every kind but files, which a page does not read. */
export function kindsOf(forms: readonly NetworkForm[]): NetworkKind[] {
  return forms
    .map(({ form, meaning }) => ({ kind: form.split(':')[0], form, meaning }))
    .filter(({ kind }) => kind in STARTS)
}

export function startOf(kind: string): string {
  return STARTS[kind]
}

/** Reads `small-world:20:4:0.25`; null where the form does not know the kind. */
export function readNetwork(text: string, kinds: readonly NetworkKind[]): NetworkText | null {
  const [kind, ...rest] = text.trim().split(':')
  const known = kinds.find((candidate) => candidate.kind === kind)
  if (known === undefined) return null
  if (kind === 'edges') return { kind, numbers: [], links: rest.join(':') }
  const names = numberNames(known.form)
  const values = rest.join(':').split(separatorOf(known.form))
  return { kind, links: null, numbers: names.map((name, i) => ({ name, value: values[i] ?? '' })) }
}

/** The text of a network with one of its numbers changed. */
export function withNumber(
  { kind, numbers }: NetworkText,
  index: number,
  value: string,
  kinds: readonly NetworkKind[],
): string {
  const { form } = kinds.find((candidate) => candidate.kind === kind)!
  const texts = numbers.map((number, i) => (i === index ? value : number.value))
  return `${kind}:${texts.join(separatorOf(form))}`
}

function numberNames(form: string): string[] {
  return form.slice(form.indexOf(':') + 1).split(separatorOf(form))
}

/** Rows and columns are written with an x between them, all other numbers with a colon. */
function separatorOf(form: string): string {
  return form.endsWith('RxC') ? 'x' : ':'
}
