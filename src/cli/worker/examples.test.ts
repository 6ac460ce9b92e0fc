import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NATS_HELP } from '../input/nats-flags.ts'
import { workerCommand } from './worker-command.ts'

const FILES = [
  'compose.yaml',
  'kubernetes/nats.yaml',
  'kubernetes/workers.yaml',
  'systemd/conclave-worker@.service',
]

const silent = { out: () => {}, err: () => {}, colours: false, progress: false }

it.each(FILES)('%s of the examples uses only flags and variables that there are', (name) => {
  const text = readFileSync(new URL(`../../../examples/scaling/${name}`, import.meta.url), 'utf8')
  const known = NATS_HELP.match(/NATS_\w+/g)!
  const variables = text.match(/NATS_\w+/g)!
  expect(variables.filter((one) => !known.includes(one))).toEqual([])
  const ofWorker = workerCommand(silent, () => {}).options.map(({ long }) => long)
  const ofOthers = [
    '--config',
    '--user',
    '--pass',
    '--scale',
    '--sweep',
    '--on',
    '--from-literal',
    '--now',
  ]
  const flags = [...text.matchAll(/(?<=[\s[=])--[a-z][a-z-]*/g)].map(([flag]) => flag)
  expect(flags.filter((flag) => ![...ofWorker, ...ofOthers].includes(flag))).toEqual([])
  // A tab is the usual reason why a file of YAML is none.
  expect(text).not.toContain('\t')
})
