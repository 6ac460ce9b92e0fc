import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { coordinator } from '../../src/coordinator/coordinator.ts'
import { type SimulationResult, simulate } from './simulate.ts'

const SEEDS = process.env.LONG_TESTS ? 20_000 : 50
/** Of one seed, to replay it: `SIMULATION_SEED=17 npx vitest run test/simulation/seeds.test.ts`. */
const ONLY = process.env.SIMULATION_SEED
const HOURS = 3_600_000

/** What is wrong with a run, and how to see it again. */
function complaint({ seed, problem, hash }: SimulationResult): string {
  const replay = `SIMULATION_SEED=${seed} npx vitest run test/simulation/seeds.test.ts`
  return `seed ${seed}: ${problem} (trace ${hash}). Replay it with: ${replay}`
}

/** Runs a seed again, with its trace in a file. */
async function replayed(seed: number): Promise<string> {
  const run = await simulate(seed, { opens: coordinator, records: true })
  const file = join(mkdtempSync(join(tmpdir(), 'conclave-simulation-')), `seed-${seed}.txt`)
  writeFileSync(file, `${run.lines.join('\n')}\n`)
  return `${run.problem === null ? `seed ${seed} holds` : complaint(run)}; its trace is in ${file}`
}

describe('the coordinator in a virtual world', () => {
  it.runIf(ONLY !== undefined)('replays one seed', async () => {
    process.stdout.write(`${await replayed(Number(ONLY))}\n`)
  })

  it.runIf(ONLY === undefined)(
    'never has two valid leases, and a leader after every mended fault',
    async () => {
      const complaints: string[] = []
      let terms = 0
      for (let seed = 1; seed <= SEEDS && complaints.length < 5; seed++) {
        const run = await simulate(seed, { opens: coordinator })
        terms += run.terms
        if (run.problem !== null) complaints.push(complaint(run))
      }
      expect(complaints).toEqual([])
      // The world is not so calm that nothing happens.
      expect(terms).toBeGreaterThan(3 * SEEDS)
    },
    3 * HOURS,
  )

  it.runIf(ONLY === undefined)('does the same for the same seed, to the byte', async () => {
    for (const seed of [3, 8, 21]) {
      const first = await simulate(seed, { opens: coordinator, records: true })
      const again = await simulate(seed, { opens: coordinator, records: true })
      expect(again.lines).toEqual(first.lines)
      expect(again.hash).toBe(first.hash)
      expect(first.lines.length).toBeGreaterThan(200)
    }
  })
})
