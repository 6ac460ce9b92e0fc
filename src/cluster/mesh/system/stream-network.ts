import { once } from 'node:events'
import type {
  Endpoint,
  NamedMember,
  PeerStream,
  StreamTransport,
} from '../../transports/stream-transport.ts'
import { DialError } from '../connector.ts'
import type { Network } from '../stream.ts'
import { DuplexStream } from './duplex-stream.ts'
import { withinTime } from './system-network.ts'

/** A network whose addresses are the names of members, over the streams of a transport. */
export function streamNetwork(transport: StreamTransport, me: NamedMember): Network {
  let opened: Promise<Endpoint> | null = null
  /** A member listens before it dials; an observer only dials. */
  const endpoint = (accepts: boolean) => {
    opened ??= transport.open({ ...me, accepts }).catch((error) => {
      opened = null
      throw error
    })
    return opened
  }
  /** Every message of a stream has a code of the secret, if there is one. */
  const proven = (peer: PeerStream) => {
    const stream = new DuplexStream(peer)
    stream.sharesSecret = (transport.secret ?? me.secret) !== undefined
    return stream
  }
  const close = async () => {
    const closing = opened
    opened = null
    await (await closing)?.close()
  }
  return {
    byName: true,
    async listen(address, accepted, dropped) {
      const own = await endpoint(true)
      own.accept(
        (stream) => accepted(proven(stream)),
        (line) => dropped?.(transport.through, line),
      )
      return { address, close }
    },
    async dial({ host }, timeout, signal) {
      const stream = (await endpoint(false)).dial(host)
      return proven(await withinTime(stream, connected(stream), timeout, signal))
    },
    resolve: async (name) => [{ host: name, port: 0 }],
    close,
  }
}

async function connected(stream: PeerStream): Promise<PeerStream> {
  await once(stream, 'connect').catch((error) => {
    throw new DialError((error as Error).message)
  })
  return stream
}
