import {
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { UsageError } from '../core/usage-error.ts'

export { createInbox, nanos } from '@nats-io/transport-node'
export type { Msg, NatsConnection }

/** What is stored for this long is left by somebody who did not come back. */
const KEPT_MS = 3 * 24 * 3600 * 1000
const NANOSECONDS = 1e6

/** A stream that exists, or is made. */
export interface StreamSettings {
  readonly name: string
  readonly subjects: readonly string[]
  /** Removes a message as soon as a consumer has acknowledged it. */
  readonly queue?: boolean
  /** Keeps only the last message of each subject. */
  readonly last?: boolean
  /** The sizes to try, the largest first: a server reserves the space. */
  readonly bytes: readonly number[]
}

/** JetStream and the object store of one account. */
export interface JetStreamAccess {
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  ensureStream(settings: StreamSettings): Promise<void>
  bucket(name: string): Promise<Bucket>
}

/** Files in the object store. */
export interface Bucket {
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Null where there is none, or a larger one. */
  get(name: string, largest: number): Promise<Uint8Array | null>
  has(name: string): Promise<boolean>
  remove(name: string): Promise<void>
}

/** Where JetStream is missing, or its store is full, it is a UsageError at `where`. */
export async function openJetStream(
  connection: NatsConnection,
  where: string,
): Promise<JetStreamAccess> {
  const manager = await jetstreamManager(connection).catch((error) => {
    throw refusedBy(error, where)
  })
  const client = manager.jetstream()
  return {
    client,
    manager,
    ensureStream: (settings) => ensureStream(manager, settings, where),
    bucket: (name) => openBucket(client, name, where),
  }
}

async function ensureStream(
  { streams }: JetStreamManager,
  { name, subjects, queue = false, last = false, bytes }: StreamSettings,
  where: string,
): Promise<void> {
  for (const [i, size] of bytes.entries()) {
    const known = await streams.info(name).catch(() => null)
    if (known !== null) {
      const { config } = known
      const same =
        (config.retention === 'workqueue') === queue && `${config.subjects}` === `${subjects}`
      if (same) return
      throw new UsageError(
        where,
        `The stream ${name} on the server has other settings.`,
        'Remove it, or use another account.',
      )
    }
    const config: Partial<StreamConfig> & { name: string } = {
      name,
      subjects: [...subjects],
      retention: queue ? 'workqueue' : 'limits',
      storage: 'file',
      // What was acknowledged must not be discarded for what comes later.
      discard: last ? 'old' : 'new',
      ...(last && { max_msgs_per_subject: 1 }),
      max_bytes: size,
      max_age: KEPT_MS * NANOSECONDS,
    }
    try {
      await streams.add(config)
      return
    } catch (error) {
      // Somebody else may have made it meanwhile, with another size.
      if (i === bytes.length - 1 && (await streams.info(name).catch(() => null)) === null)
        throw refusedBy(error, where)
    }
  }
}

async function openBucket(client: JetStreamClient, name: string, where: string): Promise<Bucket> {
  const stores = new Objm(client)
  const store = await stores
    .open(name)
    .catch(() => stores.create(name, { ttl: KEPT_MS * NANOSECONDS }))
    .catch((error) => {
      throw refusedBy(error, where)
    })
  return {
    async put(object, bytes) {
      await store.putBlob({ name: object }, bytes)
    },
    async get(object, largest) {
      const info = await store.info(object)
      return info === null || info.deleted || info.size > largest ? null : store.getBlob(object)
    },
    async has(object) {
      const info = await store.info(object)
      return info !== null && !info.deleted
    },
    async remove(object) {
      await store.delete(object).catch(() => {})
    },
  }
}

/** What the server answers in place of storing something, as one line. */
export function refusedBy(error: unknown, where: string): Error {
  if (error instanceof UsageError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/jetstream (is )?not enabled/i.test(message))
    return new UsageError(
      where,
      'This server has no JetStream, or this account may not use it.',
      'Start nats-server with -js, or let the account use JetStream.',
    )
  if (isStoreFull(error))
    return new UsageError(
      where,
      `The store of this server is full (${message}).`,
      'Remove streams that are not needed, or give JetStream more space.',
    )
  if (error instanceof errors.TimeoutError)
    return new UsageError(
      where,
      'JetStream does not answer.',
      'Check the log of the server, and whether the user may use the subjects of JetStream.',
    )
  return error instanceof Error ? error : new Error(message)
}

const FULL = [
  'maximum (bytes|messages) exceeded',
  'insufficient (storage )?resources',
  'resource limits? exceeded',
  'no space left',
].join('|')

/** Whether something was not stored because there is no space for it. */
export function isStoreFull(error: unknown): boolean {
  return error instanceof Error && new RegExp(FULL, 'i').test(error.message)
}

/** Whether nobody has subscribed to a subject. */
export function isUnheard(error: unknown): boolean {
  if (error instanceof errors.NoRespondersError) return true
  return error instanceof errors.RequestError && error.isNoResponders()
}
