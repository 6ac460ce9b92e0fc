/** The number of permutations of n elements. */
export function factorial(n: number): number {
  let product = 1
  for (let k = 2; k <= n; k++) product *= k
  return product
}

/** The permutation of 1..n with a number from 0 to n! - 1, in lexicographic order. */
export function permutationAt(n: number, number: number): number[] {
  const rest = Array.from({ length: n }, (_, i) => i + 1)
  let blocks = factorial(n - 1)
  let left = number
  return Array.from({ length: n }, (_, place) => {
    const [id] = rest.splice(Math.floor(left / blocks), 1)
    left %= blocks
    blocks /= Math.max(1, n - 1 - place)
    return id
  })
}
