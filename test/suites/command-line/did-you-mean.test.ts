import { describe, expect, it } from 'vitest'
import { aggregations } from '../../../src/algorithms/gossip/aggregations.ts'
import { catalogue } from '../../../src/algorithms/index.ts'
import { COMMANDS, commandNamed } from '../../../src/cli/main.ts'
import { Random } from '../../../src/core/index.ts'
import { editDistances, suggestionFor } from '../../../src/core/usage-error.ts'
import { measureList } from '../../../src/experiment/study/measures.ts'
import { SCENARIO_FIELDS } from '../../../src/scenario/scenario.ts'
import { campaign } from '../../support/campaign.ts'
import { shell } from '../../support/run-command.ts'

it.each([
  ['run lrc', 'lcr'],
  ['run lcr --topology rign:8', 'ring:8'],
  ['run wireless -t smal-world:100:4:0.1', 'small-world:100:4:0.1'],
  ['run lcr --delay unifrom:1:10', 'uniform:1:10'],
  ['run lcr --delay uint', 'unit'],
  ['run lcr --timing snyc', 'sync'],
  ['run lcr --order fiof', 'fifo'],
  ['run lcr --ids increasin', 'increasing'],
  ['run lcr --ids Random', 'random'],
  ['run lcr --elect-by degre', 'degree'],
  ['help rnu', 'run'],
  ['run lcr --elect-by naer:0.5:0.5', 'near:0.5:0.5'],
  ['run lcr --values unform:0:1', 'uniform:0:1'],
  ['run lcr --wake al', 'all'],
  ['run lcr --wake rat:0.5', 'rate:0.5'],
  ['run bully --set pateince=3', 'patience'],
  ['run time-slice --set start=flod', 'flood'],
  ['run gossip-average --set ordre=fixed', 'order'],
  ['run gossip-average --set order=fixd', 'fixed'],
  ['check lcr -n 3 --mode clockd:1', 'clocked:1'],
  ['run lcr --seeed 3', '--seed'],
  ['run lcr --sede 3', '--seed'],
  ['run lcr --sede=3', '--seed'],
  ['run lcr --n 8', '-n'],
  ['run lcr -seed 3', '--seed'],
  ['simulate lcr', 'run'],
  ['compare lcr peterson', 'experiment'],
  ['experiment lcr --sweep n=8-64', '8..64'],
  ['experiment lcr --sweep n=8:64', '8..64'],
  ['experiment lcr --sweep n=2^3...2^6', '2^3..2^6'],
  ['experiment lcr --sweep n=4,8 --measure mesages/n', 'messages'],
])('%s: did you mean %s?', async (line, meant) => {
  const { code, err } = await shell(...line.split(' '))
  expect(code).toBe(2)
  expect(err).toMatch(/^[^\n]+ Did you mean [^\n]+\?\n$/)
  expect(err.trimEnd().split('Did you mean ')[1]).toBe(`${meant}?`)
})

it.each([
  ['run lcr --topology xyzzy:8', 'Write for example ring:8.'],
  ['run lcr --topology ring', 'Write ring:8.'],
  ['explain nope', 'histogram, top-k.'],
  ['experiment lcr --sweep n=4,8,16 --fit nope~n', 'and ratios such as messages/n.'],
  ['banana', 'See conclave --help.'],
  ['run lcr --nope', 'See conclave run --help.'],
  ['run lcr --delay constant', 'Write for example uniform:1:10.'],
  ['run lcr --delay q', 'Write for example uniform:1:10.'],
  ['run lcr --elect-by near:1', 'Write for example near:0.5:0.5.'],
  ['run lcr --ids 1,2,x', 'Ids are integers from 0 to 2^53 - 1.'],
  ['run lcr --timing 5', 'Choose one of them.'],
])('%s: nothing is near, and the remedy is %s', async (line, remedy) => {
  expect((await shell(...line.split(' '))).err.trimEnd()).toMatch(
    new RegExp(`${remedy.replace(/[.^]/g, '\\$&')}$`),
  )
})

/** A text with one mistake of the fingers at a place. */
function misspelt(name: string, random: Random): string {
  const at = random.below(name.length)
  const [before, letter, after] = [name.slice(0, at), name[at], name.slice(at + 1)]
  const other = String.fromCharCode(97 + random.below(26))
  return [
    before + after,
    before + letter + letter + after,
    before + other + after,
    before + after.slice(0, 1) + letter + after.slice(1),
  ][random.below(4)]
}

describe('of every vocabulary', () => {
  const random = Random.from(1)
  const silent = { out: () => {}, err: () => {}, colours: false, progress: false }
  const flagsOf = async (name: string) => {
    const { options } = await commandNamed(name, silent, () => {})
    return options.flatMap(({ long }) => (long ? [long.slice(2)] : []))
  }
  const VOCABULARIES: readonly [string, () => Promise<readonly string[]> | readonly string[]][] = [
    ['commands', () => Object.keys(COMMANDS)],
    ['algorithms', () => [...catalogue, ...aggregations].map(({ name }) => name)],
    ['fields of scenarios', () => SCENARIO_FIELDS],
    ['measures', () => measureList.map(({ name }) => name)],
    ...Object.keys(COMMANDS).map((name): [string, () => Promise<string[]>] => [
      `flags of ${name}`,
      () => flagsOf(name),
    ]),
  ]

  it.each(VOCABULARIES)('%s: one mistake is found, or a name that is as near', async (_, read) => {
    const names = (await read()).filter((name) => /^[a-z][a-z-]{2,}$/i.test(name))
    for (const name of names)
      for (let i = 0; i < campaign(200); i++) {
        const typed = misspelt(name, random)
        if (names.some((one) => one.toLowerCase() === typed.toLowerCase())) continue
        const meant = suggestionFor(typed, names)
        expect(meant, `${typed} for ${name}`).not.toBe(null)
        const { whole, beginning } = editDistances(typed.toLowerCase(), meant!.toLowerCase())
        expect(Math.min(whole, beginning + 1), `${typed} for ${name}: ${meant}`).toBe(1)
      }
  })

  it.each(VOCABULARIES)('%s: nothing is near to a random word', async (_, read) => {
    const names = await read()
    for (let i = 0; i < campaign(2000); i++) {
      const letters = Array.from({ length: 8 + random.below(5) }, () => 97 + random.below(26))
      const word = String.fromCharCode(...letters)
      expect(suggestionFor(word, names), word).toBe(null)
    }
    for (const word of ['hello', 'banana', 'xyzzy', 'qwerty', 'whatever'])
      expect(suggestionFor(word, names), word).toBe(null)
  })

  it('commands are told with the program that users call', async () => {
    const { presented } = await import('../../../src/cli/terminal/terminal.ts')
    for (const name of [...Object.keys(COMMANDS), 'help']) {
      const text = presented(
        `conclave ${name}: x.`,
        { unicode: true },
        () => 'npx conclave',
        'linux',
      )
      expect(text).toBe(`npx conclave ${name}: x.`)
    }
  })
})
