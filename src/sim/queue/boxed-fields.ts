/** What of a message in flight does not go into columns. */
interface Aside {
  readonly number: number
  /** The fields of no fixed width. */
  readonly objects: readonly unknown[]
}

export const NO_OBJECTS: readonly unknown[] = []

/** What lies beside the records of messages in flight, by bucket and record. */
export class BoxedFields {
  private readonly buckets: Aside[][]

  constructor(buckets: number) {
    this.buckets = Array.from({ length: buckets }, () => [])
  }

  put(bucket: number, record: number, aside: Aside): void {
    this.buckets[bucket][record] = aside
  }

  at(bucket: number, record: number): Aside {
    return this.buckets[bucket][record]
  }
}
