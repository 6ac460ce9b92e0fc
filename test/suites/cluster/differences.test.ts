import { afterEach, describe, expect, it } from 'vitest'
import { bully, join, type Member } from '../../../src/index.ts'
import { sample } from '../../support/campaign.ts'
import { freeAddresses } from '../../support/free-ports.ts'
import { shell, USAGE_ERROR } from '../../support/run-command.ts'

const members: Member[] = []

afterEach(async () => {
  await Promise.all(members.splice(0).map((member) => member.close()))
})

/** Two members of three, which agree; the third is started by the test. */
async function pair() {
  const addresses = await freeAddresses(5)
  const three = addresses.slice(0, 3)
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const options = { addresses: three, ids: [1, 2, 3], log }
  members.push(...(await Promise.all([0, 1].map((me) => join(bully, { me, ...options })))))
  return { three: three.join(), others: addresses.slice(3), lines }
}

/** The third process, and how it differs. */
const DIFFERENCES: readonly (readonly [flags: string, says: string])[] = [
  ['--ids 3,2,1', 'ids 1,2,3 there, ids 3,2,1 here'],
  ['--seed 77', 'ids 1,2,3 there'],
  ['--ids 1,2,3 --timeout 5s', 'timeout 500 ms there, timeout 5000 ms here'],
  ['--ids 1,2,3 --heartbeat 50ms', 'heartbeat 100 ms there, heartbeat 50 ms here'],
  ['--ids 1,2,3 --delay-bound 1s', 'delay bound 100 ms there, delay bound 1000 ms here'],
  ['--ids 1,2,3 --set patience=3', 'patience 2 there, patience 3 here'],
  ['--ids 1,2,3 --values 5,6,4 --elect-by value', 'none there, elected by ranks'],
]

describe('a process with another configuration', () => {
  it.each(sample(DIFFERENCES, 3))(
    '%s is told so in one line, ends, and harms nobody',
    async (flags, says) => {
      const { three, lines } = await pair()
      const words = `node --algorithm bully --complete ${three} --me 2 ${flags} --for 20s`
      const { code, err } = await shell(...words.split(' '))
      expect(code).toBe(2)
      const last = `${err.trimEnd().split('\n').at(-1)}\n`
      expect(last).toMatch(USAGE_ERROR)
      expect(last).toContain(says)
      const told = lines.filter((line) => line.includes('the settings differ'))
      // Each of the two may have called the third one, and may have been called by it.
      expect(told.length).toBeGreaterThan(0)
      expect(told.length).toBeLessThanOrEqual(4)
      await expect
        .poll(() => members.map(({ leader }) => leader), { timeout: 5000 })
        .toEqual([2, 2])
    },
  )

  it('ends also if it has one address too many, and only others call it', async () => {
    const { three, others } = await pair()
    const list = `${three},${others[0]}`
    const words = `node --algorithm bully --complete ${list} --ids 1,2,3,4 --me 2 --for 20s`
    const { code, err } = await shell(...words.split(' '))
    expect(code).toBe(2)
    expect(err).toContain('the number of members is 3 there and 4 here. Start all members with')
    await expect.poll(() => members.map(({ leader }) => leader), { timeout: 5000 }).toEqual([2, 2])
  })

  it('is none, if it only listens at another address', async () => {
    const { three, others } = await pair()
    const flags = `--ids 1,2,3 --me 2 --listen ${others[0]} --for 1500ms --json`
    const { code, out, err } = await shell(
      ...`node --algorithm bully --complete ${three} ${flags}`.split(' '),
    )
    expect(err).toContain('bully elects without a quorum')
    expect(err).not.toContain('differ')
    expect([code, JSON.parse(out.trim().split('\n').at(-1)!).status]).toEqual([0, 'leader'])
  })
})
