import type { MeshEnvironment } from '../cluster/mesh/environment.ts'

/**
 * The outside world of a coordinator. All its code reaches clocks, disks, the network and chance
 * only through it, so that a simulation can run the very same code.
 */
export interface Environment extends MeshEnvironment {
  readonly disk: Disk
  /** Tells people of a mistake in how the node was started, if there is no log. */
  warn?(message: string): void
}

/**
 * The folder of a member on disk. A simulation provides a virtual one, which loses what was not
 * synced when its machine crashes. All operations reject with an error that names the file.
 */
export interface Disk {
  /** The contents of a file; null where there is none. */
  read(file: string): Promise<Uint8Array | null>
  /** Appends to a file, which is created if it is missing; durable only after `sync`. */
  append(file: string, bytes: Uint8Array): Promise<void>
  /** Resolves when everything appended to the file, and the file itself, is durable. */
  sync(file: string): Promise<void>
  /** Cuts a file off after this many bytes, durably. */
  truncate(file: string, length: number): Promise<void>
  /** Renames a synced file over another one, durably: after a crash the old or the new is there. */
  replace(from: string, to: string): Promise<void>
  remove(file: string): Promise<void>
  /** Closes all files, and gives up the lock of the folder. */
  close(): Promise<void>
}
