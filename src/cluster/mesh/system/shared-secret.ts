import { constants, hkdfSync } from 'node:crypto'
import { createServer, connect as secureConnect, type TLSSocket } from 'node:tls'
import { EARLIER, UPGRADE } from '../handshake.ts'
import type { TlsProblem } from '../stream.ts'
import { handshakeProblem, type SocketSecurity } from './tls.ts'

/** What all members of a cluster share. */
export interface ClusterSecret {
  readonly secret: string | Uint8Array
  readonly cluster: string
}

/** A key may only be used with one hash; both of these have the same. */
const SETTINGS = {
  minVersion: 'TLSv1.3' as const,
  ciphers: 'TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256',
  secureOptions: constants.SSL_OP_NO_TICKET,
}

const KEY_LENGTH = 32

/** Codes of a handshake in which one side has another key, or a certificate in place of it. */
const OTHER_KEY =
  /BINDER|ILLEGAL_PARAMETER|DECRYPT|SIGNATURE_ALGORITHM|HANDSHAKE_FAILURE|^(?!ERR_SSL_)/

const WITHOUT_KEY: TlsProblem = { reason: 'secret', detail: 'has another shared secret, or none' }

/**
 * TLS 1.3 with a key that is derived from the shared secret, and without certificates: both sides
 * show that they know it, and nobody else can read what they say, not even who learns it later. The
 * identity of the key travels unencrypted; it is the same for all members and names nobody.
 */
export function sharedSecret({ secret, cluster }: ClusterSecret): SocketSecurity {
  const derived = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, cluster, `conclave ${purpose}`, KEY_LENGTH))
  const psk = derived('key')
  const identity = derived('identity').toString('hex')
  return {
    ended: `closed during the TLS handshake; ${EARLIER}`,
    // Whoever has another secret has another identity, too: the key then does not fit.
    server: () => createServer({ ...SETTINGS, pskCallback: () => psk }),
    renew() {},
    client: (socket) =>
      secureConnect({
        ...SETTINGS,
        socket,
        // No certificate proves the secret.
        ca: [],
        pskCallback: () => ({ psk, identity }),
        checkServerIdentity: () => undefined,
      }),
    trust(stream, socket) {
      stream.sharesSecret = usesKey(socket)
      if (!stream.sharesSecret) stream.tlsProblem = WITHOUT_KEY
    },
    problem(error) {
      const problem = handshakeProblem(error)
      if (problem === null || OTHER_KEY.test(error.code ?? '')) return problem && WITHOUT_KEY
      const detail = `${problem.detail}: it has no secret, or an earlier release: ${UPGRADE}`
      return { reason: problem.reason, detail }
    },
  }
}

/** A handshake with a key is like that of a session that goes on: there are no certificates. */
function usesKey(socket: TLSSocket): boolean {
  return socket.isSessionReused() && socket.getPeerX509Certificate() === undefined
}
