import { afterEach, expect, test } from 'vitest'
import {
  type Aggregation,
  aggregations,
  byMessages,
  catalogue,
} from '../../../src/algorithms/index.ts'
import {
  Member,
  type MemoryTransport,
  memberOptionsOf,
  memberTiming,
  memoryNetwork,
} from '../../../src/cluster/index.ts'
import { type Algorithm, Random, type World } from '../../../src/core/index.ts'
import { flagged, prepare } from '../../../src/scenario/index.ts'
import { sample } from '../../support/campaign.ts'
import { randomMessage } from '../../support/random-messages.ts'

/*
 * Well-formed messages with any content, from neighbours that are strangers, to every algorithm
 * that runs between processes. A member may refuse them, drop links and elect nonsense, but it must
 * not end.
 */

const RUNS = process.env.LONG_TESTS ? 60 : 1
const MESSAGES = 300

const definitions: readonly (Algorithm | Aggregation)[] = [
  ...catalogue.filter(
    ({ needs, meet }) =>
      needs.time !== 'rounds' && meet === null && !['tree', 'hypercube'].includes(needs.topology),
  ),
  ...aggregations.filter((it) => byMessages(it).needs.time !== 'rounds'),
]

const members = new Set<Member>()

afterEach(async () => {
  await Promise.all([...members].map((member) => member.close()))
  members.clear()
})

function worldOf(what: Algorithm | Aggregation): World {
  if ('aggregate' in what)
    return prepare({ topology: 'complete:4', timing: 'async' }, what, flagged).messages()!.world
  const network = what.needs.topology === 'ring' ? 'ring' : 'complete'
  return prepare({ topology: `${network}:4` }, what, flagged).world
}

/** A member at position 0 whose neighbours are played by the test. */
async function memberOf(
  { algorithm, ...rest }: World,
  transports: MemoryTransport[],
  seed: number,
) {
  const { failureDetector } = memberTiming(algorithm, {}, (option) => option)
  const member = new Member({
    ...memberOptionsOf({ algorithm, ...rest }, 0),
    transport: transports[0],
    random: Random.from(seed),
    unit: 1,
    ...(failureDetector && { failureDetector }),
  })
  members.add(member)
  for (const [i, transport] of transports.slice(1).entries())
    await transport.open({ schema: '', n: 4, position: i + 1 }, { received() {}, down() {} })
  await member.open()
  return member
}

test.each(sample(definitions, 3).map((definition) => [definition.name, definition] as const))(
  'no message ends a member of %s',
  async (_name, definition) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const world = worldOf(definition)
      const { topology, algorithm } = world
      const lasting = memberTiming(algorithm, {}, (option) => option).failureDetector !== null
      const transports = memoryNetwork(topology)
      const random = Random.from(seed)
      const member = await memberOf(world, transports, seed)
      let error: unknown = null
      member.ended.catch((why) => {
        error = why
      })
      const ways = [1, 2, 3].flatMap((liar) =>
        transports[liar].links
          .filter((link) => topology.neighbor(liar, link) === 0)
          .map((link) => ({ transport: transports[liar], link })),
      )
      for (let i = 0; i < MESSAGES; i++) {
        const { transport, link } = ways[random.below(ways.length)]
        // A refused frame breaks the link: the stranger connects again. Lasting links come and go.
        if (lasting && random.below(20) === 0) transport.cut(link)
        transport.mend(link)
        transport.send(link, randomMessage(algorithm, random))
        if (random.below(5) === 0) await new Promise((resolve) => setTimeout(resolve, 0))
        if (random.below(50) === 0) member.start()
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(error, `seed ${seed}`).toBeNull()
      await member.close()
    }
  },
)
