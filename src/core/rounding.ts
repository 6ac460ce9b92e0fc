/** The tolerance for rounding errors of float64s: sums of delays such as 0.1 are not exact. */
export const ROUNDING = 1e-9

/** Whether a measured number is at most a bound, apart from rounding errors. */
export function isWithin(measured: number, bound: number): boolean {
  return measured <= bound * (1 + ROUNDING)
}
