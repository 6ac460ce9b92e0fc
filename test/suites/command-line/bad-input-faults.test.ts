import { describe, expect, it } from 'vitest'
import { expectUsageError, shell, USAGE_ERROR } from '../../support/run-command.ts'

it('patience must be given where delays are unbounded', async () => {
  const line = 'run bully --delay exponential:1 --allow-weaker'
  const { code, err } = await shell(...line.split(' '))
  expect(code).toBe(2)
  expect(err).toMatch(USAGE_ERROR)
  expect(err).toContain('patience')
  expect((await shell(...line.split(' '), '--set', 'patience=3')).code).toBeLessThan(2)
})

describe('an invalid fault', () => {
  it.each([
    ['--recover 7', '--recover', '7@30'],
    ['--recover 9@3', '--recover', 'from 0 to 7'],
    ['--recover 3@x', '--recover', '"3@x"'],
    ['--recover 3@4:id=x', '--recover', '7@30:id=2'],
    ['--recover 3@4:id=9007199254740993', '--recover', 'an id'],
    ['--recover 3@4:id=2 --values index', '--recover', 'only where nodes compare ids'],
    ['--recover 3@5', '--recover', 'position 3 is alive'],
    ['--recover 3@5 --crash 4@2', '--recover', 'position 3 is alive'],
    ['--recover 3@5 --crash 3@6', '--recover', 'position 3 is alive'],
    ['--recover 3@5,3@7 --crash 3@2', '--recover', 'position 3 is alive'],
    ['--retire 3', '--retire', '7@20'],
    ['--retire 3@5', '--retire', 'long-running'],
    ['--detect never', '--detect', 'a time of 0 or more'],
    ['--detect -1', '--detect', '"-1"'],
    ['--detect 0.5 --timing sync', '--detect', 'a number of rounds'],
    ['--suspect x@3..4', '--suspect', '3@10..20'],
    ['--suspect 8@3..4', '--suspect', 'from 0 to 7'],
    ['--suspect 3@', '--suspect', '3@10..20'],
    ['--suspect 3@4..3', '--suspect', 'ends before it begins'],
    ['--suspect 3@4..5..6', '--suspect', '3@10..20'],
    ['--loss 2', '--loss', 'from 0 to 1'],
    ['--loss x', '--loss', '"x"'],
    ['--duplicate -0.1', '--duplicate', 'from 0 to 1'],
    ['--partition 0,1@3..4', '--partition', '0,1,2/3,4@10..50'],
    ['--partition 0,1/1,2@3..4', '--partition', 'twice'],
    ['--partition 0/8@3..4', '--partition', 'from 0 to 7'],
    ['--partition 0/@3..4', '--partition', '"0/@3..4"'],
    ['--cut 0-2@3..4', '--cut', 'no link between 0 and 2'],
    ['--cut 0@3..4', '--cut', '0-1@5..9'],
    ['--cut 0-1-2', '--cut', '0-1@5..9'],
    ['--cut 0-9', '--cut', 'from 0 to 7'],
    ['--cut 0to2', '--cut', 'no link between 0 and 2'],
    ['--recover 3@5:amnesia', '--recover', 'position 3 is alive'],
    ['--pause 9@3', '--pause', 'from 0 to 7'],
    ['--pause 3@4..3', '--pause', 'ends before it begins'],
    ['--pause 3@1..5,3@4', '--pause', 'overlap'],
    ['--pause 3@1..5 --again 9', '--pause', 'second election'],
    ['--drift 2', '--drift', 'from 0 to 1'],
    ['--drift 0.1 --timing sync', '--drift', 'timing is sync'],
    ['--disk links:x', '--disk', 'uniform:1:5'],
    ['--disk slow', '--disk', 'uniform:A:B'],
    ['--disk unit --timing sync', '--disk', 'timing is sync'],
    ['--again soon', '--again', '"soon"'],
    ['--mobility fast', '--mobility', 'a speed'],
    ['--mobility 0.1', '--mobility', 'geometric:100:0.2'],
    ['--weights 1,2', '--weights', 'lcr does not'],
  ])('run lcr -n 8 %s', (flags, where, says) =>
    expectUsageError(['run', 'lcr', '-n', '8', ...flags.split(' ')], where, says),
  )
})

it.each([
  '--crash 3 --recover 3@5',
  '--crash 3@5 --recover 3@5',
  '--crash 3@2,3@6 --recover 3@7,3@5',
  '--crash 0.5@2 --recover 3@5',
])('a node that may have crashed recovers: %s', async (flags) => {
  expect((await shell('run', 'bully', ...flags.split(' '))).code).toBe(0)
})
