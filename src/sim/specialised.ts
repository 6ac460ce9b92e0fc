import { CodeFromText } from '../core/code-from-text.ts'
import type { Algorithm } from '../core/language/algorithm.ts'
import { ceilLog2 } from '../core/logarithm.ts'
import { Driver } from '../core/runtime/driver.ts'
import type { Columns, MessageCodec } from '../core/runtime/message-codec.ts'
import { FIELDS, TAG, TO } from './queue/messages-in-flight.ts'
import type { Simulation } from './simulation.ts'

/** What is generated for an algorithm: the way into the queue and out of it. */
export interface Specialised {
  /** In place of `Driver.send`. */
  readonly send: Driver['send']
  /** The record at an index arrives at its receiver. Returns false to pause the delivery. */
  readonly onRecord: (simulation: Simulation, data: Columns, at: number) => boolean
  /** In place of `Driver.after`. */
  readonly after: Driver['after']
  /** In place of the general loop of `Simulation`. */
  readonly fireDueTimers: (most: number) => number
}

const known = new WeakMap<Algorithm, Specialised>()
let made = 0

/**
 * The specialised code of an algorithm; null where its messages need the general way: they have
 * fields without a fixed width, wait at their receiver, or carry the number of an attempt.
 *
 * This is the one place where the engine is specialised. V8 inlines a call if all earlier calls at
 * the same place went to the same function, and only as long as the inlined code stays short. The
 * general way is long, and all algorithms of a process share it. Here each algorithm has a copy of
 * its own that calls its handlers and codecs by name, so that a whole delivery, from the record in
 * the bucket to the record of the answer, becomes one piece of machine code without allocations.
 */
export function specialised(algorithm: Algorithm): Specialised | null {
  const codecs = algorithm.kinds.map(({ codec }) => codec)
  if (algorithm.restarts || algorithm.defers || algorithm.kinds.length === 0) return null
  if (codecs.some(({ hasObjects }) => hasObjects)) return null
  // Fractions whose bits depend on the value are charged in the general way.
  const whole = codecs.every(({ integers }) => integers)
  if (!whole && codecs.some(({ fixedBits }) => !fixedBits)) return null
  const code = known.get(algorithm) ?? generate(algorithm, codecs)
  known.set(algorithm, code)
  return code
}

function generate(algorithm: Algorithm, codecs: readonly MessageCodec[]): Specialised {
  const { kinds, kindBySerial, timers, timerBySerial } = algorithm
  const integers = codecs.every((codec) => codec.integers)
  const kindBits = ceilLog2(kinds.length)
  const width = FIELDS + Math.max(...codecs.map((codec) => codec.width))
  const names = kinds.map((_, kind) => [`handle${kind}`, `pack${kind}`, `unpack${kind}`])
  const functions = kinds.map(({ handle, codec }) => [
    handle,
    integers ? codec.packInt32 : codec.pack,
    codec.unpack,
  ])
  const fixedBits = codecs.every((codec) => codec.fixedBits)
  const written = byCodec(
    codecs,
    (kind) => `pack${kind}(body, data, at + ${FIELDS}, inFlight.uidBits)`,
  )
  // Numbers that do not fit into 32 bits take the general way.
  const pack = integers
    ? `let bits = ${written};
       if (bits < 0) bits = inFlight.packGeneral(bucket, at, kind, body, number);
       ${fixedBits ? '' : 'counters.variableBits += bits;'}`
    : `${written};`
  const handle = kinds.map(
    (_, kind) => `if (kind === ${kind})
      handle${kind}(my, unpack${kind}(data, at + ${FIELDS}, NO_OBJECTS), simulation);`,
  )
  const fire = timers.map((_, timer) => `if (timer === ${timer}) fire${timer}(my, this);`)
  return new CodeFromText(
    'kindBySerial',
    'timerBySerial',
    'NO_OBJECTS',
    'sendGenerally',
    'afterGenerally',
    ...names.flat(),
    ...timers.map((_, timer) => `fire${timer}`),
    `// ${made++}: each text has a copy of its own, however many algorithms are alike.
    function send(link, message, body) {
      const kind = kindBySerial[message.serial];
      const { topology, node, counters, inFlight } = this;
      const number = counters.total;
      const place = link - topology.firstLink;
      if (kind === undefined || number === this.allowance
        || (place >>> 0) !== place || place >= topology.degree(node))
        return sendGenerally.call(this, link, message, body);
      const bucket = inFlight.reserve(
        inFlight.arrivals.next(topology.channel(node, link), inFlight.now, number));
      const data = inFlight.buckets[bucket];
      const at = inFlight.reserved;
      data[at + ${TO}] = topology.neighbor(node, link);
      data[at + ${TAG}] = (topology.back(node, link) << ${kindBits}) | kind;
      ${pack}
      counters.total = number + 1;
      ${kinds.length > 1 ? 'if (kind > 0) counters.others[kind]++;' : ''}
      ${algorithm.quiet === 'never' ? 'this.lastSent[node] = this.now;' : ''}
    }

    function onRecord(simulation, data, at) {
      const node = data[at + ${TO}] | 0;
      const tag = data[at + ${TAG}] | 0;
      const my = simulation.store.at(node);
      simulation.node = node;
      simulation.from = tag >> ${kindBits};
      simulation.lastReceipt = simulation.now;
      if (simulation.asleepCount > 0 && my.status === 'asleep') {
        // What the node sends when it wakes may take the place of the record.
        data = data.slice(at, at + ${width});
        at = 0;
        simulation.asleepCount--;
        simulation.wakeByMessage(my);
      }
      if (my.stopped === false) {
        const kind = tag & ${(1 << kindBits) - 1};
        ${handle.join(' else ')}
        ${algorithm.layout.hasOrdered ? 'simulation.settle(my);' : ''}
      }
      if (simulation.outcomeChanged === true) simulation.checkProperties();
      return simulation.limitReached === false;
    }

    function after(delay, timer) {
      const index = timerBySerial[timer.serial];
      if (index === undefined || typeof delay !== 'number' || !(delay >= 0))
        afterGenerally.call(this, delay, timer);
      else if (this.store.at(this.node).stopped === false) this.setTimer(index, delay);
    }

    function fireDueTimers(most) {
      const { timeline, store, now } = this;
      const { maxMessages } = this.conditions;
      let fired = 0;
      while (fired < most && this.limitReached === false) {
        const cell = timeline.takeTimer(now);
        if (cell < 0) break;
        fired++;
        if (this.timersFired++ === maxMessages) this.limitReached = true;
        const timer = cell % ${timers.length};
        const node = ((cell - timer) / ${timers.length}) | 0;
        const my = store.at(node);
        this.node = node;
        this.from = -1;
        ${fire.join(' else ')}
        if (this.outcomeChanged === true) this.checkProperties();
      }
      if (fired < most) timeline.update();
      return fired;
    }

    return { send, onRecord, after, fireDueTimers }`,
  )(
    ...[kindBySerial, timerBySerial, [], Driver.prototype.send, Driver.prototype.after],
    ...functions.flat(),
    ...timers.map((timer) => timer.fire),
  )
}

/** An expression that calls the function of a codec; kinds with the same fields share one. */
function byCodec(codecs: readonly MessageCodec[], call: (kind: number) => string): string {
  const [last, ...others] = [...new Set(codecs)].reverse()
  return others.reduce(
    (rest, codec) => {
      const kinds = codecs.flatMap((other, kind) => (other === codec ? [`kind === ${kind}`] : []))
      return `(${kinds.join(' || ')}) ? ${call(codecs.indexOf(codec))} : ${rest}`
    },
    call(codecs.indexOf(last)),
  )
}
