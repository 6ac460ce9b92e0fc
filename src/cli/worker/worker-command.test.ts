import { describe, expect, it } from 'vitest'
import { freeAddresses } from '../../../test/support/free-ports.ts'
import { startNatsServer } from '../../../test/support/nats-server.ts'
import { expectUsageError } from '../../../test/support/run-command.ts'

describe('conclave worker and workers', () => {
  it('refuse wrong flags before they connect', async () => {
    await expectUsageError(['worker', 'nats://h', '--parallel', '0'], '--parallel', 'whole number')
    await expectUsageError(['worker', 'nats://h', '--name', 'a b'], '--name', '1 to 100 letters')
    await expectUsageError(['worker', 'nats://h', '--job-limit', '5'], '--job-limit', 'duration')
    await expectUsageError(['worker', 'http://h'], 'url', 'begins with http://')
    await expectUsageError(['workers', 'nats://'], 'url', 'Write nats://host:4222')
  })

  it('say in one line that there is no server, no JetStream, or no right to it', async () => {
    const [address] = await freeAddresses(1)
    for (const command of ['worker', 'workers'])
      await expectUsageError(
        [command, `nats://${address}`],
        `nats://${address}`,
        'No server listens',
      )
    const config = 'authorization { user: ada, password: s3cret }'
    const server = await startNatsServer({ jetStream: false, config })
    const host = server.url.slice('nats://'.length)
    const known = `nats://ada:s3cret@${host}`
    await expectUsageError(['worker', known], server.url, 'This server has no JetStream')
    const wrong = `nats://ada:wr0ng@${host}`
    await expectUsageError(['worker', wrong], server.url, 'does not accept the credentials')
    await expectUsageError(['workers', wrong], server.url, 'does not accept the credentials')
    await server.stop()
    expect(server.log()).not.toContain('s3cret')
  })
})
