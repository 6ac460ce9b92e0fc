import { afterAll, beforeAll } from 'vitest'
import { executorConformance } from '../../../test/support/jobs/conformance.ts'
import { startJobWorker } from '../../../test/support/jobs/job-worker.ts'
import { type NatsServer, startNatsServer } from '../../../test/support/nats-server.ts'
import { jetstreamExecutor } from './caller.ts'
import type { JobWorker } from './worker.ts'

let server: NatsServer
let worker: JobWorker

beforeAll(async () => {
  server = await startNatsServer()
  worker = await startJobWorker(server.url)
})

afterAll(async () => {
  await worker.leave()
  await server.stop()
})

executorConformance('on JetStream', () =>
  jetstreamExecutor({ connection: { servers: server.url }, version: 'test' }),
)
