import { chmod, open, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { UsageError } from '../../core/usage-error.ts'
import { pipeOf } from '../storage/folder-lock.ts'

/** What a command gets, and what it answers: anything that JSON can carry. */
export type ControlArguments = Readonly<Record<string, unknown>>
/** The commands of a control socket by name. A `UsageError` is passed on to who asked. */
export type ControlCommands = Readonly<
  Record<string, (given: ControlArguments) => Promise<unknown> | unknown>
>

export interface ControlSocket {
  close(): Promise<void>
}

const NAME = 'control'
/** Longer requests are refused. */
const REQUEST_LENGTH_MAX = 64 * 1024

/**
 * Listens on a socket in the storage folder (mode 0600) for what changes a member: one request
 * and one answer for each connection, both a line of JSON. The folder must be locked.
 */
export async function controlSocket(
  folder: string,
  commands: ControlCommands,
): Promise<ControlSocket> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serve(socket, commands)
  })
  await withSocketPath(folder, async (path) => {
    if (process.platform !== 'win32') await rm(path, { force: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    if (process.platform !== 'win32') await chmod(path, 0o600)
  })
  server.unref()
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await rm(join(folder, NAME), { force: true }).catch(() => {})
    },
  }
}

function serve(socket: Socket, commands: ControlCommands): void {
  let text = ''
  let asked = false
  socket.setEncoding('utf8')
  socket.on('data', async (chunk: string) => {
    text += chunk
    const end = text.indexOf('\n')
    if (asked || (end < 0 && text.length <= REQUEST_LENGTH_MAX)) return
    asked = true
    socket.end(`${JSON.stringify(await answerTo(text.slice(0, end), commands))}\n`)
  })
}

async function answerTo(line: string, commands: ControlCommands): Promise<unknown> {
  try {
    const { command, ...given } = JSON.parse(line)
    if (!Object.hasOwn(commands, command)) {
      throw new UsageError('control', `${JSON.stringify(command)} is not a command.`)
    }
    return { result: (await commands[command](given)) ?? null }
  } catch (error) {
    if (error instanceof UsageError) return { error: error.parts }
    return { error: ['control', (error as Error).message, ''] }
  }
}

/** Asks the member whose storage is in this folder. Rejects with its `UsageError`. */
export function controlRequest(
  folder: string,
  command: string,
  given: ControlArguments = {},
  /** How long it may be silent, in milliseconds; 0: for ever. */
  patience = 0,
): Promise<unknown> {
  return withSocketPath(
    folder,
    (path) =>
      new Promise((resolve, reject) => {
        let text = ''
        const socket = connect(path)
        socket.setEncoding('utf8')
        socket.setTimeout(patience, () => {
          socket.destroy()
          reject(silent(folder))
        })
        socket.on('connect', () => socket.write(`${JSON.stringify({ command, ...given })}\n`))
        socket.on('error', () => reject(nobody(folder)))
        socket.on('data', (chunk: string) => {
          text += chunk
        })
        socket.on('end', () => {
          socket.end()
          if (!text.endsWith('\n')) return reject(nobody(folder))
          const { result, error } = JSON.parse(text)
          if (error === undefined) resolve(result)
          else reject(new UsageError(...(error as [string, string, string])))
        })
      }),
  )
}

function nobody(folder: string): UsageError {
  return new UsageError(
    folder,
    'no member runs with this storage folder.',
    'Start it, or name the folder of one that runs.',
  )
}

function silent(folder: string): UsageError {
  return new UsageError(
    folder,
    'the member that runs with this storage folder does not answer.',
    'It is stopped or busy; ask another member.',
  )
}

/** The path of the socket; on Linux one that is short enough for a deep folder too. */
async function withSocketPath<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  if (process.platform === 'win32') return use(await pipeOf(folder, NAME))
  if (process.platform !== 'linux') return use(join(folder, NAME))
  const directory = await open(folder, 'r').catch(() => {
    throw nobody(folder)
  })
  try {
    return await use(`/proc/self/fd/${directory.fd}/${NAME}`)
  } finally {
    await directory.close()
  }
}
