import { main } from '../dist/cli/main.js'

/** One process of the benchmark: `node check-one.js WORDS...` prints a line of JSON. */
let [out, err] = ['', '']
const MB = 2 ** 20
const loadedMB = process.memoryUsage.rss() / MB
await main(['check', ...process.argv.slice(2), '--json'], {
  out: (text) => {
    out += text
  },
  err: (text) => {
    err += text
  },
  colours: false,
  progress: false,
})
const { states, transitions, exhausted, violated, speed } = out === '' ? {} : JSON.parse(out)
const memoryMB = process.resourceUsage().maxRSS / 1024
process.stdout.write(
  JSON.stringify({
    states,
    transitions,
    exhausted,
    violated,
    speed,
    memoryMB,
    // What the process needs beyond its modules.
    bytesPerState: ((memoryMB - loadedMB) * MB) / states,
    refused: err,
  }),
)
