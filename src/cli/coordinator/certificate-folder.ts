import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { TlsCredentials } from '../../cluster/mesh/stream.ts'
import { refuseCertificate } from '../../cluster/mesh/system/tls.ts'
import { UsageError } from '../../core/index.ts'
import { readText } from '../input/read-file.ts'

/** Whether the files have changed is looked at so often, in milliseconds. */
const INTERVAL = 1000

/**
 * The certificates of a member in a folder: `ca.crt`, and the `.crt` and `.key` of its name. Files
 * that are replaced are read again; until all of them fit together, the ones before are used.
 */
export function certificatesIn(
  folder: string,
  me: string,
  where: string,
  now: () => number = () => performance.now(),
): () => TlsCredentials {
  const files = ['ca.crt', `${me}.crt`, `${me}.key`].map((name) => join(folder, name))
  const versions = () => files.map((file) => statSync(file).mtimeMs).join()
  const read = (): TlsCredentials => {
    const [ca, cert, key] = files.map((file) => readText(file, where))
    try {
      refuseCertificate({ ca, cert, key }, me, Date.now())
    } catch (error) {
      throw error instanceof UsageError ? error.at(where) : error
    }
    return { ca, cert, key }
  }
  let current = read()
  let known = versions()
  let looked = now()
  return () => {
    if (now() - looked < INTERVAL) return current
    looked = now()
    try {
      const found = versions()
      if (found === known) return current
      current = read()
      known = found
    } catch {
      // They are being replaced: the next look finds all of them.
    }
    return current
  }
}
