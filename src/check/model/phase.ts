/**
 * The parts of a moment where time counts: what may still happen in it. Changes are recoveries and
 * cuts. A crash may come in any part, since it may cut a handler short; notices come once they are
 * due, before anything else.
 */
export const CHANGES = 0
export const DELIVERIES = 1
export const STARTS = 2
export const ALARMS = 3
