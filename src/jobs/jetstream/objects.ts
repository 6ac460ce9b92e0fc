import { createHash } from 'node:crypto'
import type { Bucket, JetStreamAccess } from '../../nats/jetstream.ts'
import { encodeReference, ForeignMessage, referenceIn } from './protocol.ts'

const BUCKET = 'conclave'
/** What is larger cannot have come from us. */
const OBJECT_BYTES_MAX = 512 * 2 ** 20
/** Room for subjects and headers in a message. */
const ENVELOPE = 4096

/**
 * What does not fit into a message, by the hash of its content: the message then holds its name.
 * The bucket is only made where something is that large.
 */
export class Objects {
  private opened: Promise<Bucket> | null = null
  private readonly used = new Set<string>()

  constructor(
    private readonly access: JetStreamAccess,
    /** The largest message that the server takes. */
    private readonly largestMessage: number,
  ) {}

  /** Whether a message can hold the content. */
  fits(content: Uint8Array): boolean {
    return content.length + ENVELOPE <= this.largestMessage
  }

  /** The content, or the name of an object with it. */
  async packed(study: string, content: Uint8Array): Promise<Uint8Array> {
    if (this.fits(content)) return content
    return encodeReference(await this.store(study, content))
  }

  /** The content of a message, wherever it lies. */
  async unpacked(data: Uint8Array): Promise<Uint8Array> {
    const object = referenceIn(data)
    return object === null ? data : this.read(object)
  }

  /** Stores content below a name and returns the name of the object. */
  async store(below: string, content: Uint8Array): Promise<string> {
    const object = `${below}/${sha256(content)}`
    this.used.add(object)
    try {
      const bucket = await this.bucket()
      if (!(await bucket.has(object))) await bucket.put(object, content)
      return object
    } catch (error) {
      // The server may have lost the bucket.
      this.opened = null
      throw error
    }
  }

  async read(object: string): Promise<Uint8Array> {
    this.used.add(object)
    const content = await (await this.bucket()).get(object, OBJECT_BYTES_MAX)
    if (content === null) throw new ForeignMessage('there is no such object, or it is too large')
    if (!object.endsWith(`/${sha256(content)}`)) throw new ForeignMessage('the object was changed')
    return content
  }

  /** Removes what was stored or read below a name; what others stored is removed with its age. */
  async removeBelow(below: string): Promise<void> {
    for (const object of [...this.used].filter((name) => name.startsWith(`${below}/`))) {
      this.used.delete(object)
      await (await this.bucket()).remove(object)
    }
  }

  private bucket(): Promise<Bucket> {
    this.opened ??= this.access.bucket(BUCKET).catch((error) => {
      this.opened = null
      throw error
    })
    return this.opened
  }
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
