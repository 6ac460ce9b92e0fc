import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { editDistances, suggestionFor, UsageError } from './usage-error.ts'

it.each([
  ['', '', 0],
  ['', 'lcr', 3],
  ['lcr', '', 3],
  ['lrc', 'lcr', 1],
  ['sede', 'seed', 1],
  ['kitten', 'sitting', 3],
  ['ring', 'ring', 0],
])('%j and %j are %i edits apart', (from, to, edits) => {
  expect(editDistances(from, to).whole).toBe(edits)
})

it.each([
  ['lrc', ['bully', 'lcr'], 'lcr'],
  ['Random', ['random', 'same'], 'random'],
  ['hirsch', ['hirschberg-sinclair-one-way', 'hirschberg-sinclair'], 'hirschberg-sinclair'],
  ['hirshberg', ['hirschberg-sinclair', 'itai-rodeh'], 'hirschberg-sinclair'],
  ['sede', ['set', 'seed'], 'seed'],
  ['nope', ['top-k', 'toDead'], null],
  ['xyzzy', ['ring', 'line'], null],
  ['q', ['unit'], null],
  ['lcr', [], null],
  ['lcr', ['lcr'], null],
  ['rign:8', ['ring', 'line'], 'ring:8'],
])('%j among %j means %j', (typed, names, meant) => {
  expect(suggestionFor(typed, names)).toBe(meant)
})

it('an error suggests the name that was meant, wherever it is thrown', () => {
  const error = new UsageError('topology', 'cannot read rign:8.', 'Write for example ring:8.')
  const suggesting = error.withCandidates('rign:8', ['ring', 'line'])
  expect(suggesting.message).toBe('topology: cannot read rign:8. Did you mean ring:8?')
  expect(suggesting.at('--topology').hint).toBe('Did you mean ring:8?')
  expect(error.withCandidates('xyzzy', ['ring', 'line'])).toBe(error)
  expect(error.withCandidates('ring', ['ring'])).toBe(error)
  expect(error.withCandidates(Number.NaN, ['any'])).toBe(error)
})

it('an uncaught error prints its message and its parts alone', () => {
  const error = new UsageError('n', 'wrong.', 'Fix it.').withCandidates('rign', ['ring'])
  expect(Object.keys(error).toSorted()).toEqual(['hint', 'name', 'problem', 'where'])
  expect(inspect(error)).not.toContain('misspelling')
})
