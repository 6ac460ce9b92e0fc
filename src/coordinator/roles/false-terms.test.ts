import { afterEach, expect, test } from 'vitest'
import { LEASE, leadersOf, VirtualCoordinators } from '../../../test/support/coordinator-fixture.ts'
import { quorumLease } from '../../algorithms/index.ts'
import { MessageBytes } from '../../cluster/node/message-bytes.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { writeMessage } from '../membership/messages.ts'
import type { RunningNode } from '../running-node.ts'

let cluster: VirtualCoordinators

afterEach(() => cluster.close())

const nodeOf = (name: string) => cluster.nodes.get(name) as RunningNode

/** A member asks others for a term, with a nonce that each of them has sent lately. */
function ask(from: string, term: number, to: readonly string[]): void {
  const kind = quorumLease.kinds.findIndex(({ word }) => word === 'ASK')
  const request = { incarnation: 'x', number: 1, term, length: LEASE, leads: false }
  for (const voter of to)
    for (let age = 0; age < 50; age++) {
      const echo = `${nodeOf(voter).incarnation}/${age}`
      const bytes = new MessageBytes(quorumLease).write(kind, { ...request, echo })
      nodeOf(from).send(voter, 'cron', '', bytes)
    }
}

test.each([
  [2 ** 32, 2 ** 32 + 1],
  [2 ** 32 + 2, 2],
  [2 ** 48 - 1, 2],
])('after a false request for term %d the next leader has one from %d on', async (term, next) => {
  cluster = await VirtualCoordinators.started('abc')
  const roles = cluster.roles('cron')
  await cluster.until(() => leadersOf(roles).length === 1)
  expect(roles.get('c')!.term!.token).toBe(1)
  for (const role of roles.values()) role.stand(false)
  await cluster.pass(20)
  ask('a', term, ['b', 'c'])
  await cluster.pass(2 * LEASE)
  for (const role of roles.values()) role.stand(true)
  await cluster.until(() => leadersOf(roles).length === 1)
  // Candidates that collide use up some.
  const { token } = roles.get(leadersOf(roles)[0])!.term!
  expect(token).toBeGreaterThanOrEqual(next)
  expect(token).toBeLessThan(next + 10)
})

test('a message of the membership with a term that nobody came to is refused', async () => {
  cluster = await VirtualCoordinators.started('abc')
  const received = (term: number) =>
    nodeOf('b').membership.received('a', writeMessage({ type: 'read', seq: 1, term }))
  expect(() => received(2 ** 53 - 1)).toThrow(MalformedBytes)
  expect(() => received(2 ** 53 - 1)).toThrow('a term beyond reason')
  const { configuration } = nodeOf('b').membership
  const news = { ...configuration!, floors: new Map([['cron', 2 ** 40]]) }
  const frame = writeMessage({ type: 'news', configuration: news })
  expect(() => nodeOf('b').membership.received('a', frame)).toThrow('a term beyond reason')
  expect(() => received(1)).not.toThrow()
})
