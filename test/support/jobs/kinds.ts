import { setTimeout } from 'node:timers/promises'
import { UsageError } from '../../../src/core/usage-error.ts'
import { Unfinished, type WorkKinds, type WorkModule } from '../../../src/jobs/executor.ts'

/** Multiplies numbers by what all jobs of the study share. */
const multiply: WorkModule<{ by: number }, number, number> = {
  async open({ by }) {
    return (input) => input * by
  },
}

/** Returns texts of any length. */
const text: WorkModule<null, number, { text: string }> = {
  async open() {
    return (length) => ({ text: 'x'.repeat(length) })
  },
}

/** A job throws what its input says. */
const failing: WorkModule<null, string, string> = {
  async open() {
    return (input) => {
      if (input === 'usage') throw new UsageError('--here', 'something is wrong.', 'Correct it.')
      if (input === 'defect') throw new TypeError('a defect of a job')
      return input
    }
  },
}

/** Cannot be opened. */
const closed: WorkModule<null, number, number> = {
  async open() {
    throw new UsageError('--there', 'this cannot be opened.')
  },
}

/** A job takes as many milliseconds of waiting as its input says; 0 waits without end. */
const wait: WorkModule<null, number, number> = {
  async open() {
    return async (ms, { signal }) => {
      if (ms === 0) await new Promise(() => {})
      await setTimeout(ms, null, { ...(signal && { signal }) })
      return ms
    }
  },
}

/** Computes for as many milliseconds as the input says, and ends early where it should. */
const compute: WorkModule<null, number, number> = {
  endsEarly: true,
  async open() {
    return (ms, { until = Number.POSITIVE_INFINITY }) => {
      const end = performance.now() + ms
      while (performance.now() < end) if (Date.now() > until) throw new Unfinished()
      return ms
    }
  },
}

/** Returns the number of jobs at the same time. */
const place: WorkModule<null, number, number> = {
  async open(_, where) {
    return () => where.parallel
  },
}

/** Kinds of work for tests of executors. */
export const testKinds: WorkKinds = {
  multiply: async () => multiply,
  text: async () => text,
  failing: async () => failing,
  closed: async () => closed,
  wait: async () => wait,
  compute: async () => compute,
  place: async () => place,
}
