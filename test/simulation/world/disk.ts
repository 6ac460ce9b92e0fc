import type { Disk } from '../../../src/coordinator/environment.ts'
import type { Random } from '../../../src/core/runtime/random.ts'
import type { VirtualProcess } from './machine.ts'
import { between, happens, oneFrom } from './world.ts'

interface File {
  bytes: Uint8Array
  /** The first so many bytes survive a loss of power. */
  synced: number
  /** Whether the file itself survives one. */
  durable: boolean
}

export type DiskFault = 'none' | 'slow' | 'full' | 'read-only'

/** The disk of a machine. */
export class MachineDisk {
  fault: DiskFault = 'none'
  private files = new Map<string, File>()

  constructor(
    private readonly random: Random,
    /** How long an operation usually takes, in real milliseconds. */
    private readonly latency: number,
    /** How long one takes at most while the disk is slow, and until when it may be slow. */
    private readonly slow: number,
    private readonly mended: number,
  ) {}

  /** What was not synced survives in part, or is there as zeros. */
  losePower(): void {
    const { random } = this
    for (const [name, file] of this.files) {
      if (!file.durable && happens(random, 0.5)) this.files.delete(name)
      else if (file.synced < file.bytes.length) this.tear(file)
      file.durable = true
    }
  }

  /** A new disk is put in. */
  replace(): void {
    this.files = new Map()
    this.fault = 'none'
  }

  /** The files as they are now, to be brought back later. */
  copy(): ReadonlyMap<string, Uint8Array> {
    return new Map([...this.files].map(([name, { bytes }]) => [name, bytes]))
  }

  /** An older copy of the folder takes its place. */
  restore(copy: ReadonlyMap<string, Uint8Array>): void {
    this.files = new Map(
      [...copy].map(([name, bytes]) => [name, { bytes, synced: bytes.length, durable: true }]),
    )
  }

  /** Bytes that were synced change, or are gone. */
  rot(): void {
    const { random } = this
    const names = [...this.files.keys()].filter((name) => name.startsWith('journal'))
    const file = this.files.get(oneFrom(random, names))
    if (file === undefined || file.bytes.length === 0) return
    const bytes = file.bytes.slice()
    const recent = Math.min(bytes.length, 200)
    const at = bytes.length - 1 - random.below(happens(random, 0.5) ? recent : bytes.length)
    bytes[at] ^= 1 << random.below(8)
    file.bytes = happens(random, 0.5) ? bytes : file.bytes.slice(0, at)
    file.synced = file.bytes.length
  }

  private tear(file: File): void {
    const { random } = this
    const kept = file.synced + random.below(file.bytes.length - file.synced + 1)
    const torn = happens(random, 0.7) ? file.bytes.slice(0, kept) : file.bytes.slice()
    if (torn.length > kept) torn.fill(0, kept)
    file.bytes = torn
    file.synced = torn.length
  }

  /** The disk as a process has it. */
  opened(process: VirtualProcess): Disk {
    const operation = <T>(name: string, changes: boolean, work: () => T): Promise<T> =>
      this.operation(process, name, changes, work)
    return {
      read: (name) => operation(name, false, () => this.files.get(name)?.bytes.slice() ?? null),
      append: (name, bytes) => operation(name, true, () => this.append(name, bytes)),
      sync: (name) => operation(name, true, () => this.sync(name)),
      truncate: (name, length) =>
        operation(name, true, () => {
          const file = this.existing(name)
          file.bytes = file.bytes.slice(0, length)
          file.synced = Math.min(file.synced, length)
          this.sync(name)
        }),
      replace: (from, to) =>
        operation(from, true, () => {
          const file = this.existing(from)
          if (!file.durable || file.synced < file.bytes.length)
            throw new Error(`${from}: it is renamed before it is synced`)
          this.files.delete(from)
          this.files.set(to, file)
        }),
      remove: (name) => operation(name, true, () => void this.files.delete(name)),
      close: () => operation('', false, () => {}),
    }
  }

  /** The change happens somewhere between the call and its answer. */
  private operation<T>(
    process: VirtualProcess,
    name: string,
    changes: boolean,
    work: () => T,
  ): Promise<T> {
    const { random, latency } = this
    return new Promise((resolve, reject) => {
      if (!process.calls()) return
      const slow = this.fault === 'slow' && changes && happens(random, 0.5)
      const { world } = process.machine
      const left = Math.max(0, this.mended - world.time)
      const usual = between(random, 0, 2 * latency)
      const time = slow ? Math.min(between(random, 0, this.slow), left) : usual
      const happensAfter = time * random.unit()
      const answersAfter = time - happensAfter
      world.schedule(world.time + happensAfter, () => {
        if (!process.alive) return
        const problem = this.problem(name, changes)
        let result: T
        try {
          if (problem !== null) throw new Error(problem)
          result = work()
        } catch (error) {
          process.post(answersAfter, () => reject(error))
          return
        }
        process.post(answersAfter, () => resolve(result))
      })
    })
  }

  private problem(name: string, changes: boolean): string | null {
    if (!changes) return null
    if (this.fault === 'full') return `${name}: no space left on device`
    return this.fault === 'read-only' ? `${name}: read-only file system` : null
  }

  private append(name: string, bytes: Uint8Array): void {
    const file = this.files.get(name) ?? { bytes: new Uint8Array(), synced: 0, durable: false }
    const all = new Uint8Array(file.bytes.length + bytes.length)
    all.set(file.bytes)
    all.set(bytes, file.bytes.length)
    file.bytes = all
    this.files.set(name, file)
  }

  private sync(name: string): void {
    const file = this.existing(name)
    file.synced = file.bytes.length
    file.durable = true
  }

  private existing(name: string): File {
    const file = this.files.get(name)
    if (file === undefined) throw new Error(`${name}: no such file`)
    return file
  }
}
