import { deflateRawSync, gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { pageFile, serveLab } from '../dist/cli/lab/server.js'

/*
 * The page in a browser without a screen: frames per second while a thousand nodes play, what a
 * frame costs the processor (which says more on a busy machine), and how long a jump to any moment
 * of a long run takes until all views have drawn it. Numbers to look at; nothing is asserted.
 */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SECONDS = 5
const SEEKS = 300
/** Milliseconds after which a run that has not grown is over. */
const PAUSE = 1500

const print = (line) => process.stdout.write(`${line}\n`)
const ms = (value) => `${value.toFixed(1)} ms`.padStart(9)

const PLAYED = [
  { algorithm: 'lcr', topology: 'ring:1000', delay: 'uniform:1:10' },
  { algorithm: 'wireless', topology: 'scale-free:1000:3', delay: 'uniform:1:10' },
  { algorithm: 'gossip-average', topology: 'scale-free:1000:3', timing: 'cycles' },
]
const LONG = { algorithm: 'chang-roberts', topology: 'ring:1000', ids: 'decreasing' }

function fragmentOf(scenario) {
  const document = { version: 1, runs: [{ scenario }], shown: 0, step: 0, time: 0 }
  return `#lab=${deflateRawSync(JSON.stringify(document)).toString('base64url')}`
}

/** Opens a scenario and waits until all of it is known; returns how long that took. */
async function open(page, address, scenario) {
  const begun = performance.now()
  await page.goto('about:blank')
  await page.goto(address + fragmentOf(scenario))
  const slider = page.getByLabel('Step', { exact: true })
  for (let known = '', before = null; known === '0' || known !== before; ) {
    const [complaint] = await page.getByRole('alert').allInnerTexts()
    if (complaint !== undefined) throw new Error(complaint)
    before = known
    await page.waitForTimeout(PAUSE)
    known = await slider.getAttribute('max')
  }
  return performance.now() - begun - PAUSE
}

/** Seconds of the processor that the page has used so far. */
async function busy(session) {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration').value
}

async function play(page, session, address, scenario) {
  await open(page, address, scenario)
  await page.keyboard.press('Home')
  await page.keyboard.press(' ')
  await page.waitForTimeout(500)
  const before = await busy(session)
  const frames = await page.evaluate(
    (seconds) =>
      new Promise((resolve) => {
        const begun = performance.now()
        let frames = 0
        const beat = (now) => {
          frames++
          if (now - begun < 1000 * seconds) requestAnimationFrame(beat)
          else resolve(frames)
        }
        requestAnimationFrame(beat)
      }),
    SECONDS,
  )
  const spent = (await busy(session)) - before
  await page.keyboard.press(' ')
  const rate = `${(frames / SECONDS).toFixed(1)} frames/s`.padStart(14)
  const name = `${scenario.algorithm} ${scenario.topology}`.padEnd(36)
  print(`${name} ${rate}   ${ms((1000 * spent) / frames)} of CPU a frame`)
}

async function seek(page, address) {
  const took = await open(page, address, LONG)
  const { steps, times } = await page.evaluate(async (count) => {
    const slider = document.querySelector('input[aria-label="Step"]')
    const place = document.querySelector('.time-bar output')
    const times = []
    let chance = 1
    for (let i = 0; i < count; i++) {
      chance = (chance * 48_271) % 2_147_483_647
      await new Promise(requestAnimationFrame)
      const begun = performance.now()
      slider.value = String(Math.floor((chance / 2_147_483_647) * Number(slider.max)))
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      // Views are drawn again at once, or in microtasks right after.
      const words = `step ${Number(slider.value).toLocaleString('en-US')} of`
      while (!place.textContent.includes(words)) await null
      times.push(performance.now() - begun)
    }
    return { steps: Number(slider.max), times: times.sort((a, b) => a - b) }
  }, SEEKS)
  print(`${LONG.algorithm} ${LONG.topology}, ${LONG.ids}: ${steps.toLocaleString('en-US')} steps`)
  print(`  known to the page after       ${ms(took)}`)
  print(`  a jump, median of ${SEEKS}         ${ms(times[SEEKS / 2])}`)
  print(`  19 of 20 jumps take at most   ${ms(times[Math.floor(0.95 * SEEKS)])}`)
  print(`  the slowest jump              ${ms(times[SEEKS - 1])}`)
  const bytes = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0)
  print(`  memory of the page            ${(bytes / 1e6).toFixed(0).padStart(6)} MB`)
}

/** What is loaded until the first picture, as gzip makes it. */
async function printSize(page, address) {
  await page.goto(`${address}#lab`)
  const paths = await page.evaluate(async () => {
    const marks = () => performance.getEntriesByName('first picture')
    while (marks().length === 0) await new Promise(requestAnimationFrame)
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < marks()[0].startTime)
      .map(({ name }) => new URL(name).pathname)
  })
  const files = ['index.html', ...new Set(paths.map((path) => path.slice(1)))]
  const sizes = files.map((file) => gzipSync(pageFile(file), { level: 9 }).length)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  print(`first load                    ${(bytes / 1000).toFixed(0).padStart(6)} KB compressed`)
}

const server = await serveLab([0])
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-precise-memory-info'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await printSize(page, server.address)
  for (const scenario of PLAYED) await play(page, session, server.address, scenario)
  await seek(page, server.address)
} finally {
  await browser.close()
  await server.close()
}
