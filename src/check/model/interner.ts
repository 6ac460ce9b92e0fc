/** Maps values to numbers from 0 in order of first occurrence; equal keys get equal numbers. */
export class Interner<T> {
  readonly list: T[] = []
  private readonly numbers = new Map<string, number>()

  intern(key: string, value: T): number {
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    this.numbers.set(key, this.list.length)
    return this.list.push(value) - 1
  }
}

/** Bytes as a string key, one character per byte. */
export function bytesKey(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
