/**
 * The steady state of Raft's election and nothing else, written by hand over typed arrays: node 0
 * stands at time 12 and leads from 14 on; every 3 time units it sends heartbeats to all others, and
 * each answers and sets its timeout anew. A message takes one time unit. The messages of one moment
 * are in one of two buckets; timeouts are compared at every moment.
 */
const [PATIENCE, BEAT, FIRST] = [10, 3, 12]
const [VOTE, VOTED, HEARTBEAT, HEARD] = [0, 1, 2, 3]

/** Runs for this many beats; returns the number of messages by type. */
export function run(n, beats) {
  const sent = [0, 0, 0, 0]
  const terms = new Float64Array(n)
  const voted = new Int32Array(n).fill(-1)
  const due = new Float64Array(n).fill(2 * PATIENCE)
  due[0] = FIRST
  const room = 2 * n
  const [kinds, froms, tos] = [0, 1, 2].map(() => [new Int32Array(room), new Int32Array(room)])
  const given = [new Float64Array(room), new Float64Array(room)]
  const count = [0, 0]
  let [now, votes, leads, nextBeat] = [0, 0, false, Number.POSITIVE_INFINITY]

  function send(kind, from, to, term) {
    const later = 1 - (now & 1)
    const place = count[later]++
    kinds[later][place] = kind
    froms[later][place] = from
    tos[later][place] = to
    given[later][place] = term
    sent[kind]++
  }

  function beat() {
    for (let to = 1; to < n; to++) send(HEARTBEAT, 0, to, terms[0])
    nextBeat = now + BEAT
  }

  function receive(kind, from, to, term) {
    if (term > terms[to]) {
      terms[to] = term
      voted[to] = -1
    }
    if (kind === HEARTBEAT) {
      due[to] = now + 2 * PATIENCE
      send(HEARD, to, from, terms[to])
    } else if (kind === VOTE) {
      voted[to] = from
      due[to] = now + 2 * PATIENCE
      send(VOTED, to, from, terms[to])
    } else if (kind === VOTED && !leads && 2 * (++votes + 1) > n) {
      leads = true
      due[to] = Number.POSITIVE_INFINITY
      beat()
    }
  }

  const end = FIRST + 2 + BEAT * (beats - 1) + 1
  for (; now <= end; now++) {
    const bucket = now & 1
    for (let i = 0; i < count[bucket]; i++)
      receive(kinds[bucket][i], froms[bucket][i], tos[bucket][i], given[bucket][i])
    count[bucket] = 0
    if (now === nextBeat) beat()
    for (let node = 0; node < n; node++) {
      if (due[node] !== now) continue
      terms[node]++
      voted[node] = node
      due[node] = now + 2 * PATIENCE
      for (let to = 0; to < n; to++) if (to !== node) send(VOTE, node, to, terms[node])
    }
  }
  return { vote: sent[VOTE], voted: sent[VOTED], heartbeat: sent[HEARTBEAT], heard: sent[HEARD] }
}
