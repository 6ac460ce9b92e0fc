import { uptime } from 'node:os'

/* The clocks by which a coordinator and the keeper of its job agree on the end of a lease. */

/** Milliseconds; the same in all processes of a machine. */
export const monotonic = () => Number(process.hrtime.bigint()) / 1e6

/** The same with the time for which the machine was suspended. */
export const elapsed = process.platform === 'linux' ? () => uptime() * 1000 : () => Date.now()
