/**
 * Averages by gossip with messages and nothing else, written by hand over typed columns, on a
 * complete network. Every node ticks once in a period of ten time units, at one of 640 moments; a
 * message takes one unit. Ticks of one moment are a list in a slot of a wheel, messages a queue.
 */
const [PARTS, PERIOD, WHEEL] = [64, 640, 2048]

/** Runs the periods, then until no message is in flight; returns the number of messages. */
export function run(values, periods, seed) {
  const n = values.length
  const below = source(seed)
  const heads = new Int32Array(WHEEL).fill(-1)
  const following = new Int32Array(n)
  const moments = new Int32Array(n)
  const room = 2 ** Math.ceil(Math.log2(n))
  const [to, from, due] = [new Int32Array(room), new Int32Array(room), new Int32Array(room)]
  const carried = new Float64Array(room)
  let [first, end, sent] = [0, 0, 0]

  function set(node, at) {
    following[node] = heads[at % WHEEL]
    heads[at % WHEEL] = node
  }

  function send(source, target, value, at) {
    const place = end++ % room
    from[place] = source
    to[place] = target
    carried[place] = value
    due[place] = at + PARTS
    sent++
  }

  function deliver(at) {
    for (; first < end && due[first % room] === at; first++) {
      const place = first % room
      const node = to[place]
      if (from[place] < 0) values[node] += carried[place]
      else {
        const moved = (carried[place] - values[node]) / 2
        values[node] += moved
        send(-1, from[place], -moved, at)
      }
    }
  }

  for (let node = 0; node < n; node++) {
    moments[node] = below(PERIOD)
    set(node, moments[node])
  }
  const last = periods * PERIOD
  for (let at = 0; at < last; at++) {
    deliver(at)
    let node = heads[at % WHEEL]
    heads[at % WHEEL] = -1
    while (node >= 0) {
      const next = following[node]
      const other = below(n - 1)
      send(node, other < node ? other : other + 1, values[node], at)
      const moment = below(PERIOD)
      set(node, at - moments[node] + PERIOD + moment)
      moments[node] = moment
      node = next
    }
  }
  for (let at = last; first < end; at++) deliver(at)
  return sent
}

function source(seed) {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88, 1]
  return (k) => {
    const bits = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + bits) | 0
    return Math.floor(((bits >>> 0) / 4294967296) * k)
  }
}
