import { readFileSync } from 'node:fs'

/** The files that were read last; thousands of runs on one network read it once per thread. */
const texts = new Map<string, string>()
const MOST_TEXTS = 8

/** Reads the files that scenarios name, as `file:links.txt`, in whichever thread a run happens. */
export function readInputFile(path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  if (texts.size === MOST_TEXTS) texts.clear()
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  texts.set(path, text)
  return text
}
