import { get } from 'node:http'
import { parseAddress } from '../../cluster/transports/address.ts'
import { controlRequest } from '../../coordinator/operations/control.ts'
import type { CoordinatorStatus } from '../../coordinator/operations/status.ts'
import { UsageError } from '../../core/index.ts'

/** A member that is silent for so long does not answer, in milliseconds. */
const PATIENCE = 3000
/** Longer answers are not those of a member. */
const LONGEST = 10_000_000

/** The status of the first member that answers. */
export async function askStatus(
  addresses: readonly string[],
  storage: string | undefined,
): Promise<CoordinatorStatus> {
  if (storage !== undefined)
    return (await controlRequest(storage, 'status', {}, PATIENCE)) as CoordinatorStatus
  const problems: string[] = []
  for (const address of addresses) {
    try {
      return await statusAt(address)
    } catch (error) {
      if (error instanceof UsageError) throw error
      problems.push(`${address}: ${(error as Error).message}`)
    }
  }
  throw new UsageError(
    'conclave status',
    `no member answers (${problems.join('; ')}).`,
    'Give the address that a member has in --http, or its folder with --storage.',
  )
}

function statusAt(text: string): Promise<CoordinatorStatus> {
  const { host, port } = parseAddress(text.replace(/^http:\/\//, '').replace(/\/$/, ''))
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: '/status', timeout: PATIENCE }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
        if (body.length > LONGEST) request.destroy(new Error('the answer is too long'))
      })
      response.on('end', () => {
        const status = statusIn(body)
        if (response.statusCode === 200 && status !== null) resolve(status)
        else reject(new Error('another program answers there'))
      })
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer within 3 s')))
    request.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(new Error(code === 'ECONNREFUSED' ? 'nobody listens there' : message)),
    )
  })
}

function statusIn(body: string): CoordinatorStatus | null {
  try {
    const status = JSON.parse(body)
    return Array.isArray(status.members) && typeof status.roles === 'object' ? status : null
  } catch {
    return null
  }
}
