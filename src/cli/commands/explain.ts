import { Command } from 'commander'
import type { Algorithm, Bound } from '../../core/index.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { algorithmNamed } from '../lookup.ts'
import { columns, filled, paintFor } from '../paint.ts'
import { modelOf } from './list.ts'

const WIDTH = 76

export function explainCommand(io: Io, leave: Leave): Command {
  return new Command('explain')
    .description('idea, assumptions, parameters, theory, messages, what breaks it')
    .argument('<algorithm>', 'a name from conclave list')
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExample:\n  conclave explain hirschberg-sinclair')
    .action((name: string, { json }: { json?: true }) => {
      const algorithm = algorithmNamed(name)
      io.out(json ? `${JSON.stringify(documentOf(algorithm))}\n` : page(algorithm, io))
      leave(EXIT.done)
    })
}

function documentOf({ name, needs, theory, kinds, params }: Algorithm) {
  const { bounds, ...about } = theory
  return {
    name,
    needs,
    ...about,
    bounds: bounds.map(({ of, kind, formula, where }) => ({ of, kind, formula, where })),
    messages: kinds.map((kind) => ({ name: kind.name, fields: kind.packing.schema })),
    parameters: Object.entries(params).map(([param, { says }]) => ({ name: param, says })),
  }
}

function page(algorithm: Algorithm, io: Io): string {
  const { name, needs, theory, kinds, params } = algorithm
  const paint = paintFor(io.colours)
  const section = (title: string, lines: readonly string[]) => [
    '',
    paint.bold(title),
    ...lines.map((line) => `  ${line}`),
  ]
  const messages = kinds.map((kind) => [
    kind.name,
    kind.packing.schema.replaceAll(',', ', ') || 'no fields',
    kind.announces ? 'the announcement, not counted in the bounds' : '',
  ])
  const parameters = Object.entries(params).map(([param, { says }]) => [param, says])
  return `${[
    `${paint.bold(name)}  ${paint.dim(theory.authors)}`,
    ...section('Idea', filled(theory.idea, WIDTH)),
    ...section('Assumes', [`a ${needs.topology} network; ${modelOf(needs)}; ${idsOf(algorithm)}`]),
    ...section('Why it is right', filled(theory.because, WIDTH)),
    ...section('Cost', columns(theory.bounds.map(boundRow))),
    ...section('Messages', columns(messages)),
    ...section('Parameters', parameters.length === 0 ? ['none'] : columns(parameters)),
    ...section('What breaks it', filled(theory.breaks, WIDTH)),
    ...section('Try', [theory.example]),
  ].join('\n')}\n`
}

function boundRow({ of, kind, formula, where }: Bound): string[] {
  return [of, kind, formula, where ?? '']
}

function idsOf({ needs }: Algorithm): string {
  if (needs.ids === undefined) return 'no ids'
  return needs.ids === 'unique' ? 'unique ids, compared only' : 'unique ids, computed with'
}
