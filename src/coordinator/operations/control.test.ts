import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../core/usage-error.ts'
import { type ControlSocket, controlRequest, controlSocket } from './control.ts'

let folder = ''
let socket: ControlSocket
const commands = {
  double: ({ n }: Readonly<Record<string, unknown>>) => ({ twice: 2 * (n as number) }),
  nothing: async () => {},
  refuse: () => {
    throw new UsageError('resign', 'this member does not lead.', 'Ask b.')
  },
  fail: () => Promise.reject(new Error('a defect')),
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), `conclave-control-${'x'.repeat(100)}`))
  socket = await controlSocket(folder, commands)
})
afterEach(async () => {
  await socket.close()
  await rm(folder, { recursive: true })
})

describe('the control socket', () => {
  it('answers, and passes mistakes on', async () => {
    expect(await controlRequest(folder, 'double', { n: 21 })).toEqual({ twice: 42 })
    expect(await controlRequest(folder, 'nothing')).toBe(null)
    await expect(controlRequest(folder, 'refuse')).rejects.toThrow(
      new UsageError('resign', 'this member does not lead.', 'Ask b.'),
    )
    await expect(controlRequest(folder, 'fail')).rejects.toThrow('a defect')
    await expect(controlRequest(folder, 'constructor')).rejects.toThrow('is not a command')
  })

  it('is for its owner only', async () => {
    expect((await stat(join(folder, 'control'))).mode & 0o777).toBe(0o600)
  })

  it('takes the place of one that a killed process has left', async () => {
    const second = await controlSocket(folder, { double: () => 'second' })
    expect(await controlRequest(folder, 'double')).toBe('second')
    await second.close()
  })

  it('that is not there is a mistake of the user', async () => {
    const nobody = 'no member runs with this storage folder'
    await expect(controlRequest(join(folder, 'missing'), 'double')).rejects.toThrow(nobody)
    await socket.close()
    await expect(controlRequest(folder, 'double')).rejects.toThrow(nobody)
  })
})
