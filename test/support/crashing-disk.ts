import type { Disk } from '../../src/coordinator/environment.ts'

/** The process is gone: nothing after this is executed. */
class Crash extends Error {}

type Files = ReadonlyMap<string, Uint8Array>

interface File {
  bytes: Uint8Array
  /** The first so many bytes survive a crash. */
  synced: number
  /** Whether the file itself survives one. */
  durable: boolean
}

/**
 * A disk in memory that crashes at a given step. What was not synced survives in part: any number
 * of its first bytes, alone or followed by zeros up to the length that was written.
 */
export class CrashingDisk implements Disk {
  private readonly files: Map<string, File>
  /** Steps taken so far; every change of the disk is one, and so is the moment after it. */
  steps = 0
  /** The process is killed before the next operation of this kind; its system goes on. */
  killedBefore: 'sync' | null = null
  /** Holds operations back, as a frozen disk does. */
  gate: Promise<void> | null = null

  constructor(
    files: Files = new Map(),
    private readonly crashAt = Number.POSITIVE_INFINITY,
  ) {
    this.files = new Map(
      [...files].map(([name, bytes]) => [name, { bytes, synced: bytes.length, durable: true }]),
    )
  }

  async read(name: string): Promise<Uint8Array | null> {
    return this.files.get(name)?.bytes ?? null
  }

  append(name: string, bytes: Uint8Array): Promise<void> {
    return this.step(() => {
      const file = this.files.get(name) ?? { bytes: new Uint8Array(), synced: 0, durable: false }
      this.files.set(name, { ...file, bytes: Uint8Array.of(...file.bytes, ...bytes) })
    })
  }

  async sync(name: string): Promise<void> {
    if (this.killedBefore === 'sync') {
      this.killedBefore = null
      throw new Crash()
    }
    await this.step(() => {
      const file = this.files.get(name)!
      this.files.set(name, { ...file, synced: file.bytes.length, durable: true })
    })
  }

  truncate(name: string, length: number): Promise<void> {
    return this.step(() => {
      const { bytes } = this.files.get(name)!
      this.files.set(name, { bytes: bytes.slice(0, length), synced: length, durable: true })
    })
  }

  replace(from: string, to: string): Promise<void> {
    return this.step(() => {
      const file = this.files.get(from)!
      if (!file.durable || file.synced < file.bytes.length) throw new Error(`${from} is not synced`)
      this.files.delete(from)
      this.files.set(to, file)
    })
  }

  async remove(name: string): Promise<void> {
    if (this.files.has(name)) await this.step(() => void this.files.delete(name))
  }

  async close(): Promise<void> {}

  /** What the files hold at this moment. */
  contents(): Files {
    return new Map([...this.files].map(([name, { bytes }]) => [name, bytes]))
  }

  /** Everything that the disk may hold after a crash at this moment. */
  *afterCrash(): Generator<Files> {
    const [name, torn] = [...this.files].find(([, it]) => it.synced < it.bytes.length) ?? []
    const kept = new Map(
      [...this.files]
        .filter(([other, { durable }]) => durable && other !== name)
        .map(([other, { bytes }]) => [other, bytes]),
    )
    if (name === undefined || torn === undefined) {
      yield kept
      return
    }
    if (!torn.durable) yield kept
    for (let length = torn.synced; length <= torn.bytes.length; length++) {
      const prefix = torn.bytes.slice(0, length)
      yield new Map([...kept, [name, prefix]])
      const zeros = new Uint8Array(torn.bytes.length)
      zeros.set(prefix)
      yield new Map([...kept, [name, zeros]])
    }
  }

  private async step(change: () => void): Promise<void> {
    await this.gate
    if (this.steps++ === this.crashAt) throw new Crash()
    change()
    if (this.steps++ === this.crashAt) throw new Crash()
  }
}
