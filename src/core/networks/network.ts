import type { Topology } from '../language/topology.ts'
import type { Random } from '../runtime/random.ts'
import { quoted } from '../text-format.ts'
import { UsageError } from '../usage-error.ts'
import { complete } from './complete.ts'
import { edgeList } from './edge-list.ts'
import { grid, hypercube, torus } from './lattice.ts'
import {
  limitNodes,
  MOST_COMPUTED,
  MOST_LINKS,
  MOST_STORED,
  type NetworkParameter,
  real,
  refuse,
  whole,
} from './parameter.ts'

import {
  drawGeometric,
  drawKOut,
  drawRandom,
  drawScaleFree,
  drawSmallWorld,
} from './random/random-networks.ts'
import { ring } from './ring.ts'
import { path, star, tree } from './tree.ts'

export interface NetworkOptions {
  /** The random stream of random networks. */
  readonly random: Random
  /** Reads the text of a file, where files can be read. */
  readonly readFile?: (path: string) => string
  /** Whether an edge list may be disconnected. */
  readonly allowComponents?: boolean
  /** Whether complete networks number their links at random: no sense of direction. */
  readonly shuffled?: boolean
}

/** One form of the text of a network: `ring:n`. */
export interface NetworkForm {
  readonly form: string
  readonly example: string
  readonly meaning: string
}

interface Kind extends NetworkForm {
  build(rest: string, options: NetworkOptions): Topology
}

const computed = whole('n', 1, MOST_COMPUTED)
const stored = whole('n', 1, MOST_STORED)

const kinds: Readonly<Record<string, Kind>> = {
  ring: numbers('ring:8', 'every node has a left and a right neighbour', [computed], ([n]) =>
    ring(n),
  ),
  path: numbers('path:5', 'nodes in a row', [computed], ([n]) => path(n)),
  star: numbers('star:6', 'every node is linked to position 0', [computed], ([n]) => star(n)),
  complete: numbers(
    'complete:16',
    'every node is linked to every other node',
    [computed],
    ([n], { random, shuffled }) => complete(n, shuffled ? { shuffled: random } : {}),
  ),
  grid: numbers(
    'grid:3x4',
    'a rectangle of rows and columns',
    [whole('R', 1, MOST_COMPUTED), whole('C', 1, MOST_COMPUTED)],
    ([rows, columns]) => {
      limitNodes(`grid:${rows}x${columns}`, rows * columns)
      return grid(rows, columns)
    },
  ),
  torus: numbers(
    'torus:4x4',
    'a grid whose rows and columns are rings',
    [whole('R', 3, MOST_COMPUTED), whole('C', 3, MOST_COMPUTED)],
    ([rows, columns]) => {
      limitNodes(`torus:${rows}x${columns}`, rows * columns)
      return torus(rows, columns)
    },
  ),
  hypercube: numbers(
    'hypercube:3',
    'positions that differ in one of d bits are linked',
    [whole('d', 0, Math.log2(MOST_COMPUTED))],
    ([d]) => hypercube(d),
  ),
  tree: numbers(
    'tree:15:2',
    'every parent has arity children; positions in breadth-first order',
    [whole('N', 1, MOST_COMPUTED), whole('arity', 1, MOST_COMPUTED)],
    ([n, arity]) => tree(n, arity),
  ),
  random: numbers(
    'random:100:0.05',
    'every pair is linked with probability p',
    [stored, real('p', 0, 1)],
    ([n, p], { random }) => drawRandom(n, p, random),
  ),
  'k-out': numbers(
    'k-out:1000:20',
    'every node draws k neighbours',
    [stored, whole('k', 1, MOST_LINKS)],
    ([n, k], { random }) => drawKOut(n, k, random),
  ),
  'small-world': numbers(
    'small-world:1000:20:0.25',
    'a ring of k nearest neighbours, links rewired with probability beta',
    [stored, whole('k', 2, MOST_LINKS), real('beta', 0, 1)],
    ([n, k, beta], { random }) => drawSmallWorld(n, k, beta, random),
  ),
  'scale-free': numbers(
    'scale-free:1000:10',
    'new nodes are linked to m nodes in proportion to their degree',
    [stored, whole('m', 1, MOST_LINKS)],
    ([n, m], { random }) => drawScaleFree(n, m, random),
  ),
  geometric: numbers(
    'geometric:100:0.2',
    'random coordinates in a square, linked within distance r',
    [stored, real('r', 0, 2)],
    ([n, r], { random }) => drawGeometric(n, r, random),
  ),
  edges: {
    form: 'edges:LIST',
    example: 'edges:0-1,1-2,2-0',
    meaning: 'the links one by one',
    build: (text, { allowComponents = false }) => edgeList({ text, allowComponents }),
  },
  file: {
    form: 'file:PATH',
    example: 'file:links.txt',
    meaning: 'the links from a file: 0-1,1-2, or as SNAP, NetworkX, CSV and GraphML write them',
    build: (file, { readFile, allowComponents = false }) =>
      edgeList({ text: textOf(file, readFile), file, allowComponents }),
  },
}

/** All forms, for help texts. */
export const networkForms: readonly NetworkForm[] = Object.values(kinds)

/** The network of a text such as `ring:8`. */
export function network(text: string, options: NetworkOptions): Topology {
  const [name, ...rest] = text.trim().split(':')
  if (!Object.hasOwn(kinds, name)) {
    const names = Object.keys(kinds)
    throw new UsageError(
      'topology',
      `there is no network ${quoted(name)}; the networks are ${names.join(', ')}.`,
      'Write for example ring:8.',
    ).withCandidates(text.trim(), names)
  }
  const { form, example, build } = kinds[name]
  if (rest.join(':') === '') {
    refuse(`${name} is written as ${form}, not as ${quoted(text)}.`, `Write ${example}.`)
  }
  return build(rest.join(':'), options)
}

/** A network whose text is its name and numbers, separated as in the example. */
function numbers(
  example: string,
  meaning: string,
  parameters: readonly NetworkParameter[],
  make: (values: number[], options: NetworkOptions) => Topology,
): Kind {
  const [name] = example.split(':')
  const separator = /\dx\d/.test(example) ? 'x' : ':'
  const form = `${name}:${parameters.map((parameter) => parameter.name).join(separator)}`
  const build = (rest: string, options: NetworkOptions) => {
    const parts = rest.split(separator)
    if (parts.length !== parameters.length) {
      const text = quoted(`${name}:${rest}`)
      refuse(`${name} is written as ${form}, not as ${text}.`, `Write for example ${example}.`)
    }
    const values = parameters.map((parameter, i) => {
      const { name: letter, domain } = parameter
      const problem = `the ${letter} of ${form} must be ${domain}, not ${quoted(parts[i])}.`
      return parameter.read(parts[i]) ?? refuse(problem, `Write for example ${example}.`)
    })
    return make(values, options)
  }
  return { form, example, meaning, build }
}

function textOf(file: string, readFile: NetworkOptions['readFile']): string {
  if (!readFile)
    return refuse(`file:${file}: files cannot be read here.`, 'Write the links as edges:LIST.')
  try {
    return readFile(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const reason = error instanceof Error ? error.message : `${error}`
    return refuse(`file:${file} cannot be read (${reason}).`, 'Check the path.')
  }
}
