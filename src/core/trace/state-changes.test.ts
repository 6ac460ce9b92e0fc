import { describe, expect, it } from 'vitest'
import { flag, list, map, maybe, nat, real, set, uid } from '../language/index.ts'
import { changeReason, changeText, stateChanges } from './state-changes.ts'

describe('the reason where a definition gives none', () => {
  const types = { level: nat, passive: flag, parent: maybe(nat), seen: set(uid) }
  const before = { level: 1, passive: false, parent: null, seen: [1] }

  it.each([
    [{}, null],
    [{ level: 2 }, 'changes level from 1 to 2'],
    [{ passive: true, parent: 0 }, 'sets passive and sets parent to 0'],
    [{ seen: [1, 4] }, 'changes seen: + 4'],
  ])('%j', (after, said) => {
    expect(changeReason(before, { ...before, ...after }, types)).toBe(said)
    expect(changeReason({ ...before, parent: 3 }, before, types)).toBe('clears parent')
  })
})

describe('changes of a state', () => {
  const types = { best: uid, seen: set(uid), votes: map(uid, nat), mean: real, queue: list(nat) }
  const before = { best: 4, seen: [1, 3], votes: [[1, 2]], mean: 0.1, queue: [1] }
  const texts = (after: object) =>
    stateChanges(before, { ...before, ...after }).map((change) => changeText(change, types))

  it.each([
    [{}, []],
    [{ best: 7 }, ['best: 4 -> 7']],
    [{ best: null }, ['best: 4 -> -']],
    [{ seen: [1, 3, 5] }, ['seen: + 5']],
    [{ seen: [3, 5] }, ['seen: + 5, - 1']],
    [
      {
        votes: [
          [1, 2],
          [4, 1],
        ],
      },
      ['votes: + 4: 1'],
    ],
    [{ votes: [[1, 3]] }, ['votes: 1: 2 -> 3']],
    [{ votes: [] }, ['votes: - 1']],
    [{ mean: 1 / 3 }, ['mean: 0.1 -> 0.3333']],
    [{ queue: [1, 2], best: 5 }, ['best: 4 -> 5', 'queue: [1] -> [1,2]']],
  ])('%j', (after, said) => {
    expect(texts(after)).toEqual(said)
  })
})
