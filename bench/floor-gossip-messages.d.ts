export function run(values: Float64Array, periods: number, seed: number): number
