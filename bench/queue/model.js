/*
 * A model of a study on JetStream: one caller, one server, and slots of workers. The caller and the
 * server serve one message after the other; a slot executes one batch at a time, and asks for the
 * next one when it has sent its result. Messages take a delay in between. Times are in seconds.
 */

/** A binary heap of events by their times. */
class Events {
  times = []
  actions = []

  add(time, action) {
    const { times, actions } = this
    let i = times.length
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (times[parent] <= time) break
      times[i] = times[parent]
      actions[i] = actions[parent]
      i = parent
    }
    times[i] = time
    actions[i] = action
  }

  next() {
    const { times, actions } = this
    const first = { time: times[0], action: actions[0] }
    const time = times.pop()
    const action = actions.pop()
    const { length } = times
    if (length === 0) return first
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= length) break
      if (child + 1 < length && times[child + 1] < times[child]) child++
      if (times[child] >= time) break
      times[i] = times[child]
      actions[i] = actions[child]
      i = child
    }
    times[i] = time
    actions[i] = action
    return first
  }
}

/** Serves one request after the other. */
class Server {
  free = 0
  busy = 0

  /** The moment at which a request that arrives now has been served. */
  serve(now, time) {
    this.free = Math.max(this.free, now) + time
    this.busy += time
    return this.free
  }
}

/** A sequence of numbers in [0, 1) that is the same in every run. */
function sequence() {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** How long the study takes, and how busy caller, server and workers are meanwhile. */
export function simulateStudy(study) {
  const { machines, parallel, jobs, duration, spread, batch, window, delay } = study
  const events = new Events()
  const random = sequence()
  const [caller, server] = [new Server(), new Server()]
  const slots = machines * parallel
  const queue = []
  let [left, outstanding, done, computed, idle] = [jobs, 0, 0, 0, slots]
  // A batch is stored, delivered and reported; the caller sends it and reads its report.
  const served = (size) => (study.server.batch + size * study.server.job) / 3
  const called = (size) => (study.caller.batch + size * study.caller.job) / 2

  const publish = (now) => {
    while (left > 0 && outstanding < window) {
      const size = Math.min(batch, left)
      left -= size
      outstanding++
      const sent = caller.serve(now, called(size))
      events.add(sent + delay, (at) => {
        const stored = server.serve(at, served(size))
        events.add(stored, (then) => {
          queue.push(size)
          deliver(then)
        })
      })
    }
  }
  const deliver = (now) => {
    while (idle > 0 && queue.length > 0) {
      const size = queue.shift()
      idle--
      const time = size * duration * (1 + spread * (2 * random() - 1))
      computed += time
      events.add(server.serve(now, served(size)) + delay + time, (at) => result(at, size))
    }
  }
  const result = (now, size) => {
    events.add(now + delay, (at) => {
      const stored = server.serve(at, served(size))
      events.add(stored, (then) => {
        idle++
        deliver(then)
      })
      events.add(stored + delay, (then) => {
        const read = caller.serve(then, called(size))
        events.add(read, (last) => {
          outstanding--
          done += size
          publish(last)
        })
      })
    })
  }

  publish(0)
  let now = 0
  while (events.times.length > 0) {
    const { time, action } = events.next()
    now = time
    action(time)
  }
  if (done !== jobs) throw new Error(`${done} of ${jobs} jobs are done`)
  const share = (time) => time / now
  return {
    seconds: now,
    rate: jobs / now,
    workers: computed / (now * slots),
    caller: share(caller.busy),
    server: share(server.busy),
  }
}

/** No study is faster: jobs per second that slots, caller and server can serve at the most. */
export function largestRates(study) {
  const { machines, parallel, duration, batch } = study
  return {
    workers: (machines * parallel) / duration,
    caller: 1 / (study.caller.batch / batch + study.caller.job),
    server: 1 / (study.server.batch / batch + study.server.job),
  }
}
