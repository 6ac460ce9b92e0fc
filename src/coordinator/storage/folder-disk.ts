import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../core/usage-error.ts'
import type { Disk } from '../environment.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'

/** Errors of a disk that an operator meets, in words. */
const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reports an error',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of its path is not a folder',
  EROFS: 'the disk is read-only',
}

function causeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return (code !== undefined && CAUSES[code]) || message
}

/** The folder of a member, made with mode 0700 and locked against a second process. */
export async function folderDisk(folder: string): Promise<Disk> {
  try {
    await makeFolder(resolve(folder))
    return new FolderDisk(folder, await lockFolder(folder))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(folder, `the folder cannot be used: ${causeOf(error)}.`)
  }
}

/** Durable when resolved: a power cut must not take the folder with all that is synced in it. */
async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = []
  for (let path = folder; !(await exists(path)); path = dirname(path)) missing.unshift(path)
  // Step by step: where nothing can be made, as in /proc, `recursive` never returns.
  for (const path of missing) {
    await mkdir(path, { mode: 0o700 }).catch((error) => {
      // Another member that starts at the same time has made it.
      if (error.code !== 'EEXIST') throw error
    })
    await syncFolder(dirname(path))
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}

async function syncFolder(folder: string): Promise<void> {
  // Windows can neither open nor sync a folder.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

class FolderDisk implements Disk {
  private readonly handles = new Map<string, FileHandle>()
  /** Files that were made and whose folder was not synced since. */
  private readonly made = new Set<string>()

  constructor(
    private readonly folder: string,
    private readonly lock: FolderLock,
  ) {}

  read(file: string): Promise<Uint8Array | null> {
    return this.named(file, async () => {
      try {
        return await readFile(join(this.folder, file))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    })
  }

  append(file: string, bytes: Uint8Array): Promise<void> {
    return this.named(file, async () => (await this.handleOf(file)).appendFile(bytes))
  }

  sync(file: string): Promise<void> {
    return this.named(file, async () => {
      await (await this.handleOf(file)).datasync()
      if (this.made.delete(file)) await syncFolder(this.folder)
    })
  }

  truncate(file: string, length: number): Promise<void> {
    return this.named(file, async () => {
      const handle = await this.handleOf(file)
      await handle.truncate(length)
      await handle.sync()
    })
  }

  replace(from: string, to: string): Promise<void> {
    return this.named(to, async () => {
      await this.closeFile(from)
      await this.closeFile(to)
      await rename(join(this.folder, from), join(this.folder, to))
      this.made.delete(from)
      await syncFolder(this.folder)
    })
  }

  remove(file: string): Promise<void> {
    return this.named(file, async () => {
      await this.closeFile(file)
      await rm(join(this.folder, file), { force: true })
    })
  }

  async close(): Promise<void> {
    for (const file of [...this.handles.keys()]) await this.closeFile(file)
    await this.lock.release()
  }

  /** Opened for appending, also to truncate: nothing is ever written before the end. */
  private async handleOf(file: string): Promise<FileHandle> {
    const known = this.handles.get(file)
    if (known !== undefined) return known
    const path = join(this.folder, file)
    const handle = await open(path, 'a', 0o600)
    if ((await handle.stat()).size === 0) this.made.add(file)
    this.handles.set(file, handle)
    return handle
  }

  private async closeFile(file: string): Promise<void> {
    const handle = this.handles.get(file)
    this.handles.delete(file)
    await handle?.close()
  }

  /** Errors name the file and say in words what happened. */
  private async named<T>(file: string, operation: () => Promise<T>): Promise<T> {
    try {
      return await operation()
    } catch (error) {
      throw new Error(`${join(this.folder, file)}: ${causeOf(error)}`)
    }
  }
}

/** The disk of a member without storage: everything is gone with the process. */
export function memoryDisk(): Disk {
  const files = new Map<string, Uint8Array>()
  const contents = (file: string) => files.get(file) ?? new Uint8Array()
  return {
    read: async (file) => files.get(file) ?? null,
    append: async (file, bytes) => {
      const before = contents(file)
      const after = new Uint8Array(before.length + bytes.length)
      after.set(before)
      after.set(bytes, before.length)
      files.set(file, after)
    },
    sync: async () => {},
    truncate: async (file, length) => {
      files.set(file, contents(file).slice(0, length))
    },
    replace: async (from, to) => {
      files.set(to, contents(from))
      files.delete(from)
    },
    remove: async (file) => {
      files.delete(file)
    },
    close: async () => {},
  }
}
