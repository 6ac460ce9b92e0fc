/*
 * The maps and sets of states and messages. Going through them follows the order of the keys,
 * whatever the order in which they came in: two equal states then behave in the same way, which the
 * checker relies on. The keys are sorted when somebody goes through them, so that adding one costs
 * the same in a large collection.
 */

/** A set that is gone through in the order of its elements. */
export class OrderedSet<T> extends Set<T> {
  #sorted: readonly T[] | null = null

  constructor(values: Iterable<T> = []) {
    super()
    for (const value of [...values].sort(compareKeys)) super.add(value)
  }

  override add(value: T): this {
    const { size } = this
    super.add(value)
    if (this.size > size) this.#sorted = null
    return this
  }

  override delete(value: T): boolean {
    const deleted = super.delete(value)
    if (deleted) this.#sorted = null
    return deleted
  }

  override clear(): void {
    this.#sorted = null
    super.clear()
  }

  override values(): SetIterator<T> {
    return this.walk((value) => value)
  }

  override keys(): SetIterator<T> {
    return this.values()
  }

  override entries(): SetIterator<[T, T]> {
    return this.walk((value) => [value, value])
  }

  override forEach(call: (value: T, same: T, set: Set<T>) => void, self?: unknown): void {
    for (const value of this.values()) call.call(self, value, value, this)
  }

  override [Symbol.iterator](): SetIterator<T> {
    return this.values()
  }

  private walk<R>(shown: (value: T) => R): SetIterator<R> {
    this.#sorted ??= [...super.values()].sort(compareKeys)
    return new Walk(this.#sorted, this, shown) as unknown as SetIterator<R>
  }
}

/** A map that is gone through in the order of its keys. */
export class OrderedMap<K, V> extends Map<K, V> {
  #sorted: readonly K[] | null = null

  constructor(entries: Iterable<readonly [K, V]> = []) {
    super()
    for (const [key, value] of [...entries].sort(byKey)) super.set(key, value)
  }

  override set(key: K, value: V): this {
    const { size } = this
    super.set(key, value)
    if (this.size > size) this.#sorted = null
    return this
  }

  override delete(key: K): boolean {
    const deleted = super.delete(key)
    if (deleted) this.#sorted = null
    return deleted
  }

  override clear(): void {
    this.#sorted = null
    super.clear()
  }

  override keys(): MapIterator<K> {
    return this.walk((key) => key)
  }

  override values(): MapIterator<V> {
    return this.walk((key) => this.get(key)!)
  }

  override entries(): MapIterator<[K, V]> {
    return this.walk((key) => [key, this.get(key)!])
  }

  override forEach(call: (value: V, key: K, map: Map<K, V>) => void, self?: unknown): void {
    for (const [key, value] of this.entries()) call.call(self, value, key, this)
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }

  private walk<R>(shown: (key: K) => R): MapIterator<R> {
    this.#sorted ??= [...super.keys()].sort(compareKeys)
    return new Walk(this.#sorted, this, shown) as unknown as MapIterator<R>
  }
}

/**
 * Goes through keys in a given order. As in any collection, what is deleted meanwhile is left out;
 * what is added meanwhile is, too. It is written out because a generator takes twice the time.
 */
class Walk<K, R> {
  static {
    // As iterators of native collections: they can be gone through themselves.
    const native = Object.getPrototypeOf([][Symbol.iterator]())
    Object.setPrototypeOf(Walk.prototype, Object.getPrototypeOf(native))
  }

  private place = 0

  constructor(
    private readonly keys: readonly K[],
    private readonly source: { has(key: K): boolean },
    private readonly shown: (key: K) => R,
  ) {}

  next(): IteratorResult<R, undefined> {
    const { keys, source } = this
    while (this.place < keys.length) {
      const key = keys[this.place++]
      if (source.has(key)) return { done: false, value: this.shown(key) }
    }
    return { done: true, value: undefined }
  }
}

function byKey([one]: readonly [unknown, unknown], [other]: readonly [unknown, unknown]): number {
  return compareKeys(one, other)
}

/** Numbers and ids from small to large, words as in a dictionary; NaN comes last. */
function compareKeys(one: unknown, other: unknown): number {
  if (typeof one !== 'number' || typeof other !== 'number')
    return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0
  if (one === other) return 0
  return one < other || Number.isNaN(other) ? -1 : 1
}
