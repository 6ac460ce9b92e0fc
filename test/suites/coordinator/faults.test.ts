import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sample } from '../../support/campaign.ts'

const program = fileURLToPath(new URL('../../faults/run.js', import.meta.url))

/** The rows of the matrix that need neither root nor namespaces; all of them in long tests. */
const ROWS = ['leader isolated', 'leader hears none', 'SIGSTOP', 'kill -9', 'corrupt']

test('faults between real processes: one leader at a time, and no stale write', async () => {
  const words = ['--loopback', '--json', '--members', '3', '--lease', '300', '--duration', '1500']
  const rows = process.env.LONG_TESTS ? [] : ['--rows', sample(ROWS, 2).join()]
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, ...rows])
  const results = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  expect(results.length).toBeGreaterThanOrEqual(sample(ROWS, 2).length)
  for (const result of results) {
    const { overlap, sampled, violations, lost, written, agreed } = result
    const seen = {
      overlap,
      sampled,
      violations,
      lost,
      worked: written > 0,
      agreed: agreed !== null,
    }
    expect({ fault: result.fault, ...seen }).toEqual({
      ...{ fault: result.fault, overlap: 0, sampled: 0, violations: 0, lost: 0 },
      ...{ worked: true, agreed: true },
    })
  }
}, 600_000)
