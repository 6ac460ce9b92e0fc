import {
  EVEN,
  ODD,
  PROMISE,
  RELEASE,
  WAIT,
} from '../../src/algorithms/complete/lease/lease-state.ts'
import { quorumLease } from '../../src/algorithms/index.ts'
import { PeerLink } from '../../src/cluster/mesh/peer-link.ts'
import { Leadership } from '../../src/cluster/node/leadership.ts'
import { NodeDriver } from '../../src/cluster/node/node-driver.ts'
import type { NodeOutcome } from '../../src/cluster/node/node-options.ts'
import type { Environment } from '../../src/coordinator/environment.ts'
import { GoneProcesses } from '../../src/coordinator/gone-processes.ts'
import { mostOf } from '../../src/coordinator/membership/configuration.ts'
import { Membership } from '../../src/coordinator/membership/membership.ts'
import { MembershipTimes } from '../../src/coordinator/membership/membership-times.ts'
import type { CoordinatorOptions } from '../../src/coordinator/options.ts'
import { RunningTerm } from '../../src/coordinator/roles/term.ts'
import { Journal } from '../../src/coordinator/storage/journal.ts'
import type { AnyBody } from '../../src/core/runtime/message-codec.ts'
import type { State } from '../../src/core/runtime/state.ts'

/** A mistake that is planted: the simulation must find it. */
export interface PlantedMistake {
  readonly name: string
  /** Whether it takes many seeds to find it. */
  readonly rare?: true
  /** Plants it in the code, and returns what removes it. */
  readonly plant?: () => () => void
  /** Plants it in the environment, or in the options, of every process. */
  readonly environment?: (environment: Environment) => Partial<Environment>
  readonly options?: Partial<CoordinatorOptions>
}

interface LeaseNet {
  readonly incarnation: string
  after(delay: number, timer: object): void
  cancel(timer: object): void
  sendAll(message: object, body: object): void
}

type Handle = (my: State, body: AnyBody, net: LeaseNet) => void

export const MISTAKES: readonly PlantedMistake[] = [
  {
    name: 'the lease counts from the grant',
    rare: true,
    plant: handler('GRANT', (original) => (my, body, net) => {
      const { lease, drift, turn } = my as unknown as { lease: number; drift: number; turn: string }
      net.after(lease / (1 + drift), turn === 'even' ? EVEN : ODD)
      original(my, body, net)
    }),
  },
  {
    name: 'answers to older requests count',
    rare: true,
    plant: handler('GRANT', (original) => (my, body, net) => {
      original(my, { ...body, number: my.number }, net)
    }),
  },
  {
    name: 'a voter breaks its promise if it is asked',
    plant: handler('POLL', (original) => (my, body, net) => {
      my.promised = false
      original(my, body, net)
    }),
  },
  {
    name: 'a leader releases before it stops',
    plant: handler('RESIGN', () => (my, { next }, net) => {
      const { incarnation } = net
      my.number = (my.number as number) + 1
      net.sendAll(RELEASE, { incarnation, number: my.number, term: my.bid, next })
    }),
  },
  {
    name: 'a restarted voter grants at once',
    rare: true,
    plant: recovery((original) => (my, net) => {
      original(my, net)
      my.promised = false
      net.cancel(PROMISE)
    }),
  },
  {
    name: 'a restarted voter forgets its terms',
    plant: recovery((original) => (my, net) => {
      Object.assign(my, { term: 0, length: 0 })
      original(my, net)
    }),
  },
  {
    name: 'a voter without memory learns before it waits',
    rare: true,
    plant: both(
      () => replaced(MembershipTimes.prototype, 'outlasting', () => 0),
      recovery((original) => (my, net) => {
        original(my, net)
        if (my.memory) return
        my.waited = 1e9
        net.after(1, WAIT)
      }),
    ),
  },
  {
    name: 'half of the voters suffice',
    plant: () =>
      replaced(NodeDriver.prototype, 'majority', function (this: NodeDriver, links, own) {
        return 2 * (new Set(links).size + (own ? 1 : 0)) >= this.n
      }),
  },
  {
    name: 'leadership is not compared with the clock',
    plant: both(
      () =>
        replaced(Leadership.prototype, 'outcome', function (this: Leadership) {
          return effectiveOf(this)
        }),
      () =>
        getter(Leadership.prototype, 'remaining', (original) =>
          effectiveOf(original).status === 'leader' ? 1000 : 0,
        ),
    ),
  },
  {
    name: 'a lease is released while its work goes on',
    plant: () =>
      replaced(RunningTerm.prototype, 'whenIdle', (run) => {
        run()
      }),
  },
  {
    name: 'a grant leaves before it is on disk',
    rare: true,
    plant: () => {
      const { putAll } = Journal.prototype
      return replaced(Journal.prototype, 'putAll', async function (this: Journal, entries) {
        putAll.call(this, entries).catch(() => {})
      })
    },
  },
  {
    name: 'the journal is not synced',
    rare: true,
    environment: ({ disk }) => ({
      disk: {
        ...disk,
        // Neither the journal nor its mark, which would show the loss.
        sync: async (file) => (file.endsWith('.new') ? disk.sync(file) : undefined),
      },
    }),
  },
  {
    name: 'a suspended machine is not noticed',
    rare: true,
    environment: ({ clock }) => ({ clock: { ...clock, elapsed: () => clock.now() } }),
  },
  {
    name: 'a change of members needs no majority of the old set',
    plant: () =>
      replaced(Membership.prototype, 'majority', function (this: Membership, names) {
        const { configuration } = this
        return configuration !== null && mostOf(configuration.members, new Set(names))
      }),
  },
  {
    name: 'a leader closes a connection that its lease rests on',
    rare: true,
    plant: () =>
      replaced(PeerLink.prototype, 'leave', function (this: PeerLink) {
        this.stopProbe()
        this.frames.destroy()
      }),
  },
  {
    name: 'a voter takes any closed connection for the end of its process',
    rare: true,
    plant: () => {
      const { lost } = GoneProcesses.prototype
      return replaced(GoneProcesses.prototype, 'lost', function (this: GoneProcesses, peer) {
        lost.call(this, peer, true)
      })
    },
  },
  {
    name: 'a process that is not seen any more is taken for gone',
    rare: true,
    environment: ({ processes }) => ({
      processes: { own: () => processes!.own(), sees: () => true, gone: () => true },
    }),
  },
  { name: 'all clocks are taken to run alike', rare: true, options: { drift: 0, margin: 1 } },
]

type Plants = () => () => void

function both(one: Plants, other: Plants): Plants {
  return () => {
    const removes = [one(), other()]
    return () => {
      for (const remove of removes) remove()
    }
  }
}

function effectiveOf(leadership: Leadership): NodeOutcome {
  return (leadership as unknown as { effective: NodeOutcome }).effective
}

/** Replaces a computed property of a class. */
function getter<T extends object>(owner: T, key: keyof T, get: (of: T) => unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key)!
  Object.defineProperty(owner, key, {
    configurable: true,
    get(this: T) {
      return get(this)
    },
  })
  return () => Object.defineProperty(owner, key, before)
}

/** Replaces the handler of a message type of the lease. */
function handler(word: string, change: (original: Handle) => Handle): () => () => void {
  return () => {
    const kind = quorumLease.kinds.find((one) => one.word === word)!
    return replaced(kind as { handle: unknown }, 'handle', change(kind.handle as Handle))
  }
}

type Recovery = (my: State, net: LeaseNet) => void

/** Replaces what a restarted node of the lease does. */
function recovery(change: (original: Recovery) => Recovery): () => () => void {
  return () =>
    replaced(
      quorumLease as { recover: unknown },
      'recover',
      change(quorumLease.recover as Recovery),
    )
}

function replaced<T extends object, K extends keyof T>(owner: T, key: K, value: T[K]): () => void {
  const before = owner[key]
  owner[key] = value
  return () => {
    owner[key] = before
  }
}
