import { CodeFromText } from '../core/code-from-text.ts'
import type { Algorithm } from '../core/language/algorithm.ts'
import { ceilLog2 } from '../core/numbers.ts'
import { Driver } from '../core/runtime/driver.ts'
import type { Columns, MessageCodec } from '../core/runtime/message-codec.ts'
import { FIELDS, TAG, TO } from './queue/messages-in-flight.ts'
import type { Simulation } from './simulation.ts'

/** What is generated for an algorithm: the way into the queue and out of it. */
export interface Specialised {
  /** In place of `Driver.send`. */
  readonly send: Driver['send']
  /** The records from one index to another arrive. Returns the index of the next record. */
  readonly onRecords: (simulation: Simulation, data: Columns, from: number, end: number) => number
  /** In place of `Driver.after`. */
  readonly after: Driver['after']
  /** In place of the general loop of `Simulation`. */
  readonly fireDueTimers: (most: number) => number
}

/** By algorithm, for messages in a bucket queue and in a timing wheel. */
const known = [new WeakMap<Algorithm, Specialised>(), new WeakMap<Algorithm, Specialised>()]
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
export function specialised(algorithm: Algorithm, inOrder: boolean): Specialised | null {
  const codecs = algorithm.kinds.map(({ codec }) => codec)
  if (algorithm.restarts || algorithm.defers || algorithm.kinds.length === 0) return null
  if (codecs.some(({ hasObjects }) => hasObjects)) return null
  const ofQueue = known[inOrder ? 0 : 1]
  const code = ofQueue.get(algorithm) ?? generate(algorithm, codecs, inOrder)
  ofQueue.set(algorithm, code)
  return code
}

/**
 * The usual way of a message, `dispatch`, calls nothing that V8 does not inline: after a call, V8
 * reads and checks again whatever it knew. So it looks first whether it can do all, and otherwise
 * leaves all to `dispatchOtherwise`: draws, buckets that must grow, far and fractional times.
 * Functions stay below the 460 bytes of bytecode up to which V8 inlines them. `onRecords` is longer
 * on purpose, so that it is compiled for itself, with the whole budget for inlining. It has a loop
 * for the time when all nodes are awake. This function is long because it is one generated text.
 */
function generate(
  algorithm: Algorithm,
  codecs: readonly MessageCodec[],
  inOrder: boolean,
): Specialised {
  const { kinds, kindBySerial, timers, timerBySerial } = algorithm
  const integers = codecs.every((codec) => codec.integers)
  const kindBits = ceilLog2(kinds.length)
  const width = FIELDS + Math.max(...codecs.map((codec) => codec.width))
  const names = kinds.map((_, kind) => [
    `handle${kind}`,
    `pack${kind}`,
    `unpack${kind}`,
    `charge${kind}`,
  ])
  const functions = kinds.map(({ handle, codec }) => [
    handle,
    integers ? codec.packInt32 : codec.pack,
    // Code that is not needed is not generated.
    codec.unpack,
    codec.fixedBits ? null : codec.bits,
  ])
  const fixedBits = codecs.every((codec) => codec.fixedBits)
  const packed = byCodec(codecs, (kind) => `pack${kind}(body, data, at, uidBits)`)
  const charged = byCodec(codecs, (kind) =>
    codecs[kind].fixedBits ? '0' : `charge${kind}(body, uidBits)`,
  )
  // Numbers that do not fit into 32 bits take the general way.
  const pack = integers
    ? `let bits = pack(kind, body, data, at + ${FIELDS}, inFlight.uidBits);
       if (bits < 0) bits = inFlight.packGeneral(bucket, at, kind, body, number);
       ${fixedBits ? '' : 'counters.variableBits += bits;'}`
    : `pack(kind, body, data, at + ${FIELDS}, 0);
       ${fixedBits ? '' : 'counters.variableBits += charge(kind, body, inFlight.uidBits);'}`
  const write = `
      data[at + ${TO}] = topology.neighbor(node, link);
      data[at + ${TAG}] = (topology.back(node, link) << ${kindBits}) | kind;
      counters.total = number + 1;
      ${kinds.length > 1 ? 'if (kind > 0) counters.others[kind]++;' : ''}
      ${algorithm.quiet === 'never' ? 'simulation.lastSent[node] = simulation.now;' : ''}
      ${pack}`
  const room = 'at < data.length && number !== simulation.allowance'
  const [find, isUsual, take] = inOrder
    ? ['const bucket = inFlight.outgoing;', room, '']
    : [
        `const { arrivals, mask } = inFlight;
      const channel = topology.channel(node, link);
      const arrival = arrivals.peek(channel, inFlight.now);
      const ahead = arrival - inFlight.wheelTime;
      const bucket = (inFlight.cursor + ahead) & mask;`,
        `ahead > 0 && ahead <= mask && (arrival | 0) === arrival && ${room}`,
        'arrivals.take(channel, arrival);',
      ]
  const kindOf = kindBySerial.reduce<string>(
    (rest, kind, serial) =>
      kind === undefined ? rest : `serial === ${serial} ? ${kind} : ${rest}`,
    '-1',
  )
  const settle = algorithm.layout.hasOrdered ? algorithm.layout.settle : null
  const settled = settle === null ? '' : 'settle(my);'
  const receipt = (record: string, at: string) => {
    const handling = kinds.map(
      (_, kind) => `if (kind === ${kind})
        handle${kind}(my, unpack${kind}(${record}, ${at} + ${FIELDS}, NO_OBJECTS), simulation);`,
    )
    // What the node sends when it wakes may take the place of the record.
    const waking = `if (my.status === 'asleep') {
        record = data.slice(at, at + ${width});
        place = 0;
        simulation.asleepCount--;
        simulation.wakeByMessage(my);
      }`
    return `
      const node = ${record}[${at} + ${TO}] | 0;
      const tag = ${record}[${at} + ${TAG}] | 0;
      const my = store.at(node);
      simulation.node = node;
      simulation.from = tag >> ${kindBits};
      ${record === 'data' ? '' : waking}
      if (simulation.anyStopped === false || my.stopped === false) {
        const kind = tag & ${(1 << kindBits) - 1};
        ${handling.join(' else ')}
        ${settled}
      }
      if (simulation.checkDue === true) simulation.checkProperties();
      if (simulation.limitReached === true) return at + ${width};`
  }
  const fire = timers.map((_, timer) => `if (timer === ${timer}) fire${timer}(my, this);`)
  return new CodeFromText(
    'timerBySerial',
    'NO_OBJECTS',
    'sendGenerally',
    'afterGenerally',
    'settle',
    ...names.flat(),
    ...timers.map((_, timer) => `fire${timer}`),
    `// ${made++}: each text has a copy of its own, however many algorithms are alike.
    function send(link, message, body) {
      const { serial } = message;
      const kind = ${kindOf};
      const { topology } = this;
      const place = link - topology.firstLink;
      if (kind < 0 || (place >>> 0) !== place || place >= topology.degree(this.node))
        sendGenerally.call(this, link, message, body);
      else dispatch(this, link, kind, body);
    }

    function dispatch(simulation, link, kind, body) {
      const { topology, node, counters, inFlight } = simulation;
      const number = counters.total;
      ${find}
      const { ends } = inFlight;
      const data = inFlight.buckets[bucket];
      const at = ends[bucket];
      if (${isUsual}) {
        ${take}
        ends[bucket] = at + ${width};
        inFlight.inBuckets++;
        ${write}
      } else dispatchOtherwise(simulation, link, kind, body);
    }

    function pack(kind, body, data, at, uidBits) {
      return ${packed};
    }

    function charge(kind, body, uidBits) {
      return ${charged};
    }

    function dispatchOtherwise(simulation, link, kind, body) {
      const { topology, node, counters, inFlight } = simulation;
      const number = counters.total;
      if (number === simulation.allowance && !simulation.allowMore()) return;
      const bucket = inFlight.reserve(
        inFlight.arrivals.next(topology.channel(node, link), inFlight.now, number));
      const data = inFlight.buckets[bucket];
      const at = inFlight.reserved;
      ${write}
    }

    function onRecords(simulation, data, from, end) {
      const { store } = simulation;
      simulation.lastReceipt = simulation.now;
      if (simulation.asleepCount === 0) {
        for (let at = from; at < end; at += ${width}) {
          ${receipt('data', 'at')}
        }
      } else {
        for (let at = from; at < end; at += ${width}) {
          let record = data, place = at;
          ${receipt('record', 'place')}
        }
      }
      return end;
    }

    function after(delay, timer) {
      const index = timerBySerial[timer.serial];
      const drawn = index !== undefined && typeof delay === 'object';
      const exact = drawn ? this.drawnDelay(delay) : delay;
      if (index === undefined || typeof exact !== 'number' || !(exact >= 0))
        afterGenerally.call(this, delay, timer);
      else if (this.anyStopped === false || this.store.at(this.node).stopped === false) {
        this.timerDelay = exact;
        this.setDelayed(index);
      }
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
        ${settled}
        if (this.checkDue === true) this.checkProperties();
      }
      if (fired < most) timeline.update();
      return fired;
    }

    return { send, onRecords, after, fireDueTimers }`,
  )(
    timerBySerial,
    [],
    Driver.prototype.send,
    Driver.prototype.after,
    settle,
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
