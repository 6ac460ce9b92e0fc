import { createHash, randomBytes } from 'node:crypto'
import { link, open, readdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { UsageError } from '../../core/usage-error.ts'

/** The lock of a folder. The system gives it up when the process ends, however that happens. */
export interface FolderLock {
  release(): Promise<void>
}

/** Nobody has as many starts; a larger number is no lock. */
const LOCK = /^lock\.(\d{1,15})$/

/**
 * A lock is a socket on which its holder listens: who connects knows that the holder lives, also
 * when it is stopped, and across namespaces of processes. Locks are numbered. Whoever finds the
 * highest one dead links its own socket under the next number, which only one can do. The highest
 * is never removed, so that a number is not taken twice.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  if (process.platform === 'win32') return lockPipe(folder)
  const directory = await open(folder, 'r')
  // The path of a socket has room for about 100 characters; this one is always short.
  const short = process.platform === 'linux' ? `/proc/self/fd/${directory.fd}` : folder
  const own = `lock-${randomBytes(6).toString('hex')}`
  const server = await listen(join(short, own), folder)
  try {
    await takeNext(folder, short, own)
  } catch (error) {
    server.close()
    throw error
  } finally {
    await rm(join(folder, own), { force: true })
    await directory.close()
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

async function takeNext(folder: string, short: string, own: string): Promise<void> {
  for (;;) {
    const numbers = await locksIn(folder)
    const highest = Math.max(0, ...numbers)
    if (highest > 0 && (await answers(join(short, `lock.${highest}`)))) throw inUse(folder)
    const next = highest + 1
    try {
      await link(join(folder, own), join(folder, `lock.${next}`))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw error
    }
    // Another may have taken this number before, have died, and have been followed.
    if (Math.max(...(await locksIn(folder))) === next) {
      for (const older of numbers) await rm(join(folder, `lock.${older}`), { force: true })
      return
    }
    await rm(join(folder, `lock.${next}`), { force: true })
  }
}

async function locksIn(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => (LOCK.test(name) ? [Number(LOCK.exec(name)![1])] : []))
}

/** A pipe of Windows lives as long as its server. */
async function lockPipe(folder: string): Promise<FolderLock> {
  const server = await listen(await pipeOf(folder, 'lock'), folder)
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** The name of a pipe of Windows that belongs to a folder. */
export async function pipeOf(folder: string, purpose: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
  return `\\\\.\\pipe\\conclave-${purpose}-${name}`
}

function listen(path: string, folder: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? inUse(folder) : error),
    )
    // The lock alone does not keep the process alive.
    server.listen(path, () => resolve(server)).unref()
  })
}

/** Whether somebody listens on a socket. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' || code === 'ENOENT') resolve(false)
      // A full queue of connections, for example: somebody listens.
      else if (code === 'EAGAIN') resolve(true)
      else reject(new Error(message))
    })
  })
}

function inUse(folder: string): UsageError {
  return new UsageError(
    folder,
    'another process uses this folder.',
    'Each member needs a folder of its own; end the other process first.',
  )
}
