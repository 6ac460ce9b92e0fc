import type { AsyncDisposing } from '../../core/platform-types.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { Disk } from '../environment.ts'
import { folderDisk } from './folder-disk.ts'
import { Journal } from './journal.ts'

/** Who writes: the fencing token of its term, and its name. */
export interface FencingToken {
  readonly token: number
  readonly holder: string
}

/** Where a fence keeps its mark: the highest token it has seen, and who held it. */
export interface FenceStore {
  read(): Promise<FencingToken | null>
  /** Sets the mark durably if it still is `before`, and returns whether it did, as one action. */
  compareAndSet(before: FencingToken | null, after: FencingToken): Promise<boolean>
  close?(): Promise<void>
}

/** A write was refused: its leader has been followed by another, and must stop. */
export class StaleToken extends Error {
  constructor(
    readonly given: FencingToken,
    readonly highest: FencingToken,
  ) {
    const { token, holder } = highest
    super(`token ${given.token} of ${given.holder} is stale: ${holder} has written with ${token}`)
    this.name = 'StaleToken'
  }
}

/** Opens fences. */
export const Fence: {
  /**
   * Keeps its mark in a folder, which only one process can open, or in a store of your own. With
   * a store that several processes use, the write itself must be conditional on the mark too.
   */
  open(where: string | FenceStore): Promise<Fence>
} = {
  open: async (where) =>
    new StoredFence(typeof where === 'string' ? await folderStore(where) : where),
}

/**
 * Guards a resource: it refuses a token smaller than one it has seen, and an equal one of another
 * holder. Writes are executed one after the other, and a new token is durable before its first
 * write begins, so no write of an older leader can come after one of a newer.
 */
export interface Fence extends AsyncDisposing {
  /** Runs a write if the token is not stale; rejects with `StaleToken` if it is. */
  run<T>(by: FencingToken, write: () => T | Promise<T>): Promise<T>
  /** The same without a write: from now on every smaller token is refused. */
  check(by: FencingToken): Promise<void>
  /** The highest token so far. */
  readonly highest: Promise<FencingToken | null>
  /** Waits for writes under way. */
  close(): Promise<void>
}

class StoredFence implements Fence {
  private last: Promise<unknown> = Promise.resolve()

  constructor(private readonly store: FenceStore) {}

  run<T>(by: FencingToken, write: () => T | Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      await this.raise(by)
      return write()
    })
  }

  check(by: FencingToken): Promise<void> {
    return this.inTurn(() => this.raise(by))
  }

  get highest(): Promise<FencingToken | null> {
    return this.inTurn(() => this.store.read())
  }

  async close(): Promise<void> {
    await this.inTurn(async () => this.store.close?.())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private inTurn<T>(action: () => Promise<T>): Promise<T> {
    const done = this.last.then(action)
    this.last = done.catch(() => {})
    return done
  }

  private async raise(by: FencingToken): Promise<void> {
    const { token, holder } = by
    if (!Number.isSafeInteger(token) || token < 0) {
      throw new UsageError('fence', `${token} is not a token.`, 'Pass the token of a term.')
    }
    if (typeof holder !== 'string') {
      throw new UsageError('fence', 'the holder is no text.', 'Pass the name of the member.')
    }
    for (;;) {
      const before = await this.store.read()
      if (before !== null) {
        if (token < before.token || (token === before.token && holder !== before.holder)) {
          throw new StaleToken({ token, holder }, before)
        }
        if (token === before.token) return
      }
      if (await this.store.compareAndSet(before, { token, holder })) return
    }
  }
}

const KEY = 'mark'

/** Keeps the mark in a folder of its own. */
async function folderStore(folder: string): Promise<FenceStore> {
  const disk = await folderDisk(folder)
  try {
    return await journalStore(disk)
  } catch (error) {
    await disk.close()
    throw error
  }
}

/** Keeps the mark on a disk. */
export async function journalStore(disk: Disk): Promise<FenceStore> {
  const journal = await Journal.open(disk, { cluster: '', member: 'fence' })
  if (journal.problem !== null) {
    throw new UsageError(
      'fence',
      `${journal.problem}.`,
      'Mend it; a fence that forgot its highest token would let old leaders write.',
    )
  }
  const stored = journal.get(KEY)
  let mark: FencingToken | null =
    stored === undefined ? null : JSON.parse(new TextDecoder().decode(stored))
  return {
    read: async () => mark,
    compareAndSet: async (_before, after) => {
      await journal.put(KEY, new TextEncoder().encode(JSON.stringify(after)))
      mark = after
      return true
    },
    close: async () => {
      await journal.close()
      await disk.close()
    },
  }
}
