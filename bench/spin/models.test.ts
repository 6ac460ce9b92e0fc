import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shellJson } from '../../test/support/run-command.ts'
import { worlds } from '../reach-worlds.js'
import { missing, modelPath, verify } from './verify.js'

const limits = { flags: ['-O0', '-DNOREDUCE'], seconds: 60, memoryMB: 1000 }
const SLOW = 120_000

/** Each model once. */
const modelled = worlds.filter(({ model, flags }) => model !== undefined && flags === undefined)

describe('models for Spin', () => {
  it('exist for each world of the bench, or it says why not', () => {
    for (const { title, model, none } of worlds)
      expect([title, model === undefined ? none : existsSync(modelPath(model))]).toEqual([
        title,
        model === undefined ? expect.stringMatching(/^no model: /) : true,
      ])
    const files = readdirSync(dirname(modelPath('lcr'))).filter((name) => name.endsWith('.pml'))
    expect(files.sort()).toEqual(modelled.map(({ model }) => `${model}.pml`).sort())
  })

  for (const { model, words, defines } of modelled)
    it.skipIf(missing() !== null)(
      `${model}: no violation, and as many states as the checker without reductions`,
      async () => {
        // Raft in two terms has millions of states.
        const line = model === 'raft' ? words(3).replace('term=2', 'term=1') : words(3)
        await expectSameStates(model!, ['BOUND=1', ...defines!(3)], line)
      },
      SLOW,
    )

  it.skipIf(missing() !== null)(
    'quorum-lease: as many states where one leader follows another',
    async () => {
      const { words, defines } = modelled.find(({ model }) => model === 'quorum-lease')!
      const line = words(3).replace('number=5 age=1', 'number=8 age=4')
      await expectSameStates('quorum-lease', ['NUMBERS=8', 'AGES=4', ...defines!(3)], line)
    },
    SLOW,
  )
})

/** Both checkers explore three nodes, without reductions. */
async function expectSameStates(model: string, defines: readonly string[], line: string) {
  const found = await verify(modelPath(model), ['N=3', ...defines], limits)
  const words = ['check', ...line.split(' '), '--reduction', 'off']
  const { states } = await shellJson<{ states: number }>(...words)
  expect(found).toMatchObject({ errors: 0, exhausted: true, states })
}

/** Mistakes that the assertions of the models find: which text is replaced by which. */
const mistakes: readonly (readonly [model: string, right: string, wrong: string])[] = [
  ['lcr', ':: id == me ->', ':: id <= me ->'],
  ['peterson', ':: id == me -> leaders++', ':: id >= me -> leaders++'],
  ['franklin', ':: id == me && leader != me ->', ':: id <= me && leader != me ->'],
  ['hirschberg-sinclair', ':: id == me && leader != me ->', ':: id <= me && leader != me ->'],
  ['singh', ':: STANDS(step, a, b)\n      :: else ->\n        stage = CAPTURED;', ':: else ->'],
  ['ghs', ':: weight == a && me == fragment ->', ':: weight == a ->'],
  ['raft', '2 * voters > N', '3 * voters >= N'],
  ['bully', '#define PATIENCE 2', '#define PATIENCE 1'],
  ['quorum-lease', '(!MY.promised || MY.holder == whom)', '(true)'],
  ['gossip-average', 'ANSWER(0 - moved)', 'ANSWER(moved)'],
]

describe.runIf(process.env.LONG_TESTS && missing() === null)('a mistake in a model', () => {
  for (const [model, right, wrong] of mistakes)
    it(
      `is found: ${model}, ${wrong.trim()}`,
      async () => {
        const text = readFileSync(modelPath(model), 'utf8')
        expect(text.split(right)).toHaveLength(2)
        const folder = mkdtempSync(join(tmpdir(), 'conclave-mistake-'))
        try {
          const file = join(folder, 'mistake.pml')
          writeFileSync(file, text.replace(right, wrong))
          const { defines } = modelled.find((world) => world.model === model)!
          const n = model === 'singh' ? 4 : 3
          const found = await verify(file, [`N=${n}`, ...defines!(n)], {
            ...limits,
            flags: ['-O0'],
          })
          expect(found).toMatchObject({
            errors: 1,
            violated: expect.stringMatching('assertion violated'),
          })
        } finally {
          rmSync(folder, { recursive: true })
        }
      },
      SLOW,
    )
})
