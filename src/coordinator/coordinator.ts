import { randomBytes } from 'node:crypto'
import { systemClock } from '../cluster/clock.ts'
import { linuxProcesses } from '../cluster/mesh/system/linux-processes.ts'
import { streamNetwork } from '../cluster/mesh/system/stream-network.ts'
import { systemNetwork } from '../cluster/mesh/system/system-network.ts'
import { refuseCertificate } from '../cluster/mesh/system/tls.ts'
import type { Environment } from './environment.ts'
import type { CoordinatorNode } from './node.ts'
import { type CoordinatorOptions, checkedOptions } from './options.ts'
import { RunningNode } from './running-node.ts'
import { folderDisk, memoryDisk } from './storage/folder-disk.ts'

/**
 * Makes this process a member of a cluster, or an observer of it. It resolves when it listens and
 * has begun to connect; leaders are elected meanwhile. All options are checked before anything
 * starts. The environment is that of this machine unless a simulation provides one.
 *
 * `const node = await coordinator({ cluster: 'billing', me: 'a', members, storage: './state' })`
 */
export async function coordinator(
  options: CoordinatorOptions,
  environment?: Environment,
): Promise<CoordinatorNode> {
  const checked = checkedOptions(options)
  checked.signal?.throwIfAborted()
  const outside = environment ?? (await systemEnvironment(checked))
  const node = new RunningNode(checked, outside)
  try {
    await node.open()
    checked.signal?.throwIfAborted()
  } catch (error) {
    await node.close({ drain: 0 })
    throw error
  }
  const abort = () => void node.close()
  checked.signal?.addEventListener('abort', abort, { once: true })
  node.on('closed', () => checked.signal?.removeEventListener('abort', abort))
  return node
}

type NamedOptions = Pick<CoordinatorOptions, 'transport' | 'me' | 'cluster' | 'secret' | 'insecure'>

/**
 * The outside world of a node on this machine: its clocks, the storage folder, sockets with or
 * without TLS, and its processes. It locks the folder.
 */
export async function systemEnvironment(
  options: Pick<CoordinatorOptions, 'storage' | 'tls' | 'observe'> & Partial<NamedOptions>,
): Promise<Environment> {
  const { storage, tls = null, observe, me, transport, cluster = '', secret } = options
  if (tls !== null && me !== undefined)
    refuseCertificate(typeof tls === 'function' ? tls() : tls, me, Date.now())
  const network =
    transport === undefined
      ? systemNetwork(secret === undefined ? tls : { secret, cluster })
      : streamNetwork(transport, { ...options, member: me ?? '' })
  return {
    clock: systemClock,
    network,
    disk: observe || storage === undefined ? memoryDisk() : await folderDisk(storage),
    processes: linuxProcesses(),
    warn: (message) => process.emitWarning(message, 'ConclaveWarning'),
    randomBytes: (count) => randomBytes(count),
  }
}
