import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { cases } from './cases.js'

/*
 * Messages per CPU-second of the engine and of a floor written by hand, each in a process of its
 * own, turn by turn, the best run of five processes. The simulation alone: the world stands before.
 * Both may compile longer pieces into one than is usual: the way from a handler's send to a message
 * in flight is longer than that, and a long simulation gains a third by it. A short one would lose,
 * by compiling more, so that the command line leaves it at what is usual.
 */
const FLAGS = ['--expose-gc', '--max-inlined-bytecode-size-cumulative=3000']
const ROUNDS = 5
const program = fileURLToPath(new URL('measure.js', import.meta.url))
const print = (line) => process.stdout.write(`${line}\n`)

print('case                                   engine     floor   ratio   bytes/node')
for (const [index, { name, order, n }] of cases.entries()) {
  const best = { engine: { rate: 0 }, floor: { rate: 0 } }
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ['engine', 'floor']) {
      const out = execFileSync(process.execPath, [...FLAGS, program, side, `${index}`], {
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
  // With fewer nodes the memory of the process itself would be counted as theirs.
  const bytes = n < 1_000_000 ? '' : `${Math.round(engine.bytesPerNode)}`.padStart(10)
  print(`${label} ${rates}  ${ratio}   ${bytes}`.trimEnd())
}
