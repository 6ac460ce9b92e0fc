import { readFileSync } from 'node:fs'

const manifest = new URL('../../package.json', import.meta.url)
const [major, minor, patch] = JSON.parse(readFileSync(manifest, 'utf8')).version.split('.')
/** Neighbouring versions have neighbouring numbers. */
const VERSION = 10_000 * Number(major) + 100 * Number(minor) + Number(patch)

/** How many random worlds are tried: all by `npm run test:long`, a fortieth of them daily. */
export function campaign(worlds: number): number {
  return process.env.LONG_TESTS ? worlds : Math.ceil(worlds / 40)
}

/**
 * What is tried of a list: all of it by `npm run test:long`, daily one of `share`. The next version
 * tries the next of them, so that `share` versions have tried them all.
 */
export function sample<T>(all: readonly T[], share: number): T[] {
  if (process.env.LONG_TESTS) return [...all]
  const step = Math.min(share, Math.max(all.length, 1))
  return all.filter((_, i) => (i - VERSION) % step === 0)
}
