/** Numbers things from 0 in the order of first being seen; equal keys get equal numbers. */
export class Interner<T> {
  readonly list: T[] = []
  private readonly numbers = new Map<string, number>()

  of(key: string, thing: T): number {
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    this.numbers.set(key, this.list.length)
    return this.list.push(thing) - 1
  }
}

/** Bytes as a key, one character each. */
export function keyOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
