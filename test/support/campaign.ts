/** How many random worlds are tried: all by `npm run test:long`, a twentieth of them daily. */
export function campaign(worlds: number): number {
  return process.env.LONG_TESTS ? worlds : Math.ceil(worlds / 20)
}
