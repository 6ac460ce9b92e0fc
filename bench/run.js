import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { cases } from './cases.js'

/*
 * Messages per CPU-second of the engine and of a floor written by hand, each in a process of its
 * own, turn by turn, best of five. The simulation alone: the world is built before.
 */
const ROUNDS = 5
const program = fileURLToPath(new URL('measure.js', import.meta.url))
const print = (line) => process.stdout.write(`${line}\n`)

print('case                                   engine     floor   ratio   bytes/node')
for (const [index, { name, order, n }] of cases.entries()) {
  const best = { engine: { rate: 0 }, floor: { rate: 0 } }
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ['engine', 'floor']) {
      const out = execFileSync(process.execPath, ['--expose-gc', program, side, `${index}`], {
        encoding: 'utf8',
      })
      const result = JSON.parse(out)
      if (result.rate > best[side].rate) best[side] = result
    }
  }
  const { engine, floor } = best
  if (engine.messages !== floor.messages) {
    throw new Error(
      `${name}: the engine sent ${engine.messages} messages, the floor ${floor.messages}`,
    )
  }
  const label = `${name} ${order} n=${n.toLocaleString('en-US')}`.padEnd(36)
  const rates = [engine, floor].map(({ rate }) => `${rate.toFixed(1)} M`.padStart(8)).join('  ')
  const ratio = (engine.rate / floor.rate).toFixed(2).padStart(6)
  print(`${label} ${rates}  ${ratio}   ${Math.round(engine.bytesPerNode).toString().padStart(10)}`)
}
