/*
 * One member of a cluster under faults. It works on the fenced resource while it leads, and writes
 * one line of JSON for each thing that happens, with the time of the monotonic clock that all
 * processes of this machine share. Commands arrive as lines on its standard input.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  coordinator,
  nats,
  systemClock,
  systemEnvironment,
} from '../../dist/api/subpaths/coordinator.js'
import { Resource } from './resource-client.js'

const given = JSON.parse(process.argv[2])
const { resource, pace = 20, blocks = 0, otherClock = false } = given
const options = { ...given.options, ...(given.nats && { transport: nats(given.nats) }) }
const now = () => Number(process.hrtime.bigint()) / 1e6
const say = (what, more = {}) => writeSync(1, `${JSON.stringify({ at: now(), what, ...more })}\n`)

say('loaded')

// A clock whose rate can be changed. The lines of this process keep to the true one.
let [rate, since, base] = [1, systemClock.now(), systemClock.now()]
const changing = () => base + (systemClock.now() - since) * rate
const clock = {
  now: changing,
  elapsed: changing,
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds / rate),
  clearTimeout,
}
function setRate(next) {
  ;[base, since] = [changing(), systemClock.now()]
  rate = next
}

const log = ({ level, event, ...rest }) =>
  level === 'debug' ? undefined : writeSync(2, `${JSON.stringify({ level, event, ...rest })}\n`)
const environment = await systemEnvironment(options)
const node = await coordinator(
  { ...options, log },
  otherClock ? { ...environment, clock } : environment,
)
const role = node.role('job')
role.on('leader', (leader) => say('leader', { leader }))
role.on('elected', (term) => seen(true, now() + term.remaining / rate, term.token))
role.on('deposed', (term, why) => say('invalid', { term: term.token, why }))
node.on('failed', (error) => say('failed', { error: error.message }))

// The lease as it is known here: each renewal is written down before anything else can happen.
let [valid, until] = [false, 0]
setInterval(look, 2)

/** The time is read first: this process may be stopped between any two lines. */
function look() {
  const at = now()
  // A term that is ending still holds its lease: the work may use it.
  const { term } = role
  seen(term !== null, now() + (term?.remaining ?? 0) / rate, term?.token)
  sample(at, term !== null)
  return at
}

// The second method: when a lease was seen to be valid, in pieces of at most 50 ms.
let held = null
function sample(at, leads) {
  if (leads) held = { from: held?.from ?? at, to: at }
  if (held === null || (leads && at - held.from < 50)) return
  say('held', held)
  held = leads ? { from: at, to: at } : null
}

function seen(leads, end, term) {
  if (leads && (!valid || Math.abs(end - until) > 2)) {
    until = end
    say('valid', { term, until })
  }
  if (valid && !leads) say('invalid', { why: 'seen' })
  valid = leads
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { block, resign, transfer, change, rate } = JSON.parse(line)
  if (rate) setRate(rate)
  if (block) blockFor(block)
  if (resign) void role.resign().catch((error) => say('error', { error: error.message }))
  if (transfer) void role.transfer(transfer)
  if (change) void node.change(change).catch((error) => say('error', { error: error.message }))
})
process.stdin.on('end', () => process.exit(0))
process.on('SIGTERM', () => void node.close().then(() => process.exit(0)))
say('ready')

const server = resource === undefined ? null : new Resource(resource)
for await (const term of role.terms()) {
  say('elected', { term: term.token })
  while (term.valid && !term.signal.aborted) await work(term)
}

/** Reads, computes for a while and writes back, if it still may: what a careful service does. */
async function work(term) {
  await new Promise((resolve) => setTimeout(resolve, pace))
  if (server === null) return
  const by = { token: term.token, holder: options.me }
  try {
    const { value } = await server.ask({ read: true })
    if (Math.random() < blocks) blockFor(1.5 * (options.leaseMs ?? 1000))
    // The lease that the act rests on is written down first.
    const at = look()
    if (!term.valid) return
    const answer = await server.ask({ write: value + 1, by, at })
    if (answer.refused) say('refused', { term: term.token })
  } catch (error) {
    say('resource', { error: error.message })
  }
}

function blockFor(milliseconds) {
  const end = now() + milliseconds
  while (now() < end);
}
