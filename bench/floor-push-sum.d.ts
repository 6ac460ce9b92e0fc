export function overlay(n: number, k: number, seed: number): Int32Array
export function run(values: Float64Array, targets: Int32Array, cycles: number, seed: number): number
