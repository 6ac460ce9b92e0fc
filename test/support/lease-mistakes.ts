import {
  messages,
  needs,
  PROMISE,
  params,
  state,
  timers,
  WAIT,
} from '../../src/algorithms/complete/lease/lease-state.ts'
import { quorumLease } from '../../src/algorithms/complete/lease/quorum-lease.ts'
import {
  type Algorithm,
  algorithm,
  incarnation,
  maybe,
  nat,
  record,
  stable,
  timer,
} from '../../src/core/index.ts'

/* Planted mistakes in quorum-lease, each a small change of what its handlers do. */

// biome-ignore lint/suspicious/noExplicitAny: states and nets of any shape.
type Any = any
type Handler = (my: Any, body: Any, net: Any) => void
type Action = (my: Any, net: Any) => void

/** What is done differently; each gets what it replaces as its last argument. */
interface Changes {
  readonly on?: Readonly<Record<string, (my: Any, body: Any, net: Any, original: Handler) => void>>
  readonly timeout?: Readonly<Record<string, (my: Any, net: Any, original: Action) => void>>
  readonly start?: (my: Any, net: Any, original: Action) => void
  readonly recover?: (my: Any, net: Any, original: Action) => void
  /** Members of the net that every handler sees instead. */
  readonly net?: (my: Any, net: Any) => object
}

/** An algorithm with a mistake. */
function withMistake(
  { on = {}, timeout = {}, start, recover, net: replaced = () => ({}) }: Changes,
  original: Algorithm = quorumLease,
): Algorithm {
  const seeing = (my: Any, net: Any, run: () => void) => {
    const members = replaced(my, net)
    Object.assign(net, members)
    try {
      run()
    } finally {
      for (const name of Object.keys(members)) delete net[name]
    }
  }
  const { kinds, timers } = original
  const begin = original.start as Action
  const restart = original.recover as Action
  return {
    ...original,
    kinds: kinds.map((kind) => {
      const handle = kind.handle as Handler
      const changed = on[kind.word]
      return {
        ...kind,
        handle: (my: Any, body: Any, net: Any) =>
          seeing(my, net, () => (changed ? changed(my, body, net, handle) : handle(my, body, net))),
      }
    }),
    timers: timers.map((timer) => {
      const fire = timer.fire as Action
      const changed = timeout[timer.word]
      return {
        ...timer,
        fire: (my: Any, net: Any) =>
          seeing(my, net, () => (changed ? changed(my, net, fire) : fire(my, net))),
      }
    }),
    start: (my: Any, net: Any) =>
      seeing(my, net, () => (start ? start(my, net, begin) : begin(my, net))),
    recover: (my: Any, net: Any) =>
      seeing(my, net, () => (recover ? recover(my, net, restart) : restart(my, net))),
  } as Algorithm
}

/** The lease is counted from the grant, and not from the request. */
export const fromTheGrant = withMistake({
  net: (my, net) => {
    const { lead } = net
    return {
      lead(office: Any) {
        net.after(Math.floor(my.lease / (1 + my.drift)) - my.margin, office.while)
        lead.call(net, office)
      },
    }
  },
})

/** Which terms were granted is not on disk. */
export const termsForgotten = withMistake({
  recover(my, net, original) {
    my.term = 0
    original(my, net)
  },
})

/** A term is free again for a voter when its promise has ended. */
export const oneTermToTwo = withMistake({
  timeout: {
    PROMISE(my, net, original) {
      my.term--
      original(my, net)
    },
  },
})

/** A voter that is back grants at once. */
export const grantsAfterRestart = withMistake({
  recover(my, net, original) {
    const { length } = my
    my.length = 0
    original(my, net)
    my.length = length
  },
})

/** Half of the voters suffice. */
export const halfSuffices = withMistake({
  net: (_, net) => ({
    majority: (links: Iterable<number>, own: boolean) =>
      2 * (new Set(links).size + (own ? 1 : 0)) >= net.n,
  }),
})

/** A leader whose lease has run out goes on asking for renewals. */
export const goesOnRenewing = withMistake({
  timeout: {
    RENEW(my, net, original) {
      const { status } = my
      my.status = 'leader'
      original(my, net)
      my.status = status
    },
    EVEN: roundEndsUnnoticed,
    ODD: roundEndsUnnoticed,
  },
})

function roundEndsUnnoticed(my: Any, net: Any, original: Action): void {
  if (my.phase !== 'leading') original(my, net)
}

/** Requests need not echo a nonce. */
export const noEcho = withMistake({
  on: {
    ASK(my, body, net, original) {
      original(my, { ...body, echo: `${net.incarnation}/${my.age}` }, net)
    },
  },
})

const SYNC = timer()
const GRANTED = ['term', 'holder', 'holderIncarnation', 'length']

/** Answers leave before what was granted is on disk. */
export const persistsLate: Algorithm = algorithm({
  ...{ name: 'quorum-lease', needs, messages, params, wakes: true, quiet: 'never' },
  ...{ problem: quorumLease.problem!, elects: 'another', theory: quorumLease.theory },
  timers: { ...timers, SYNC },
  state: {
    ...state,
    ...{ term: nat, holder: maybe(nat), holderIncarnation: incarnation, length: nat },
    disk: stable(
      record({ term: nat, holder: maybe(nat), holderIncarnation: incarnation, length: nat }),
    ),
  },
  start: savingLater((my, net) => (quorumLease.start as Action)(my, net)),
  recover: savingLater((my, net) => {
    for (const field of GRANTED) my[field] = my.disk[field]
    ;(quorumLease.recover as Action)(my, net)
  }),
  on: Object.fromEntries(
    quorumLease.kinds.map(({ word, handle }) => [
      word,
      (my: Any, body: Any, net: Any) =>
        savingLater(() => (handle as Handler)(my, body, net))(my, net),
    ]),
  ),
  timeout: {
    ...Object.fromEntries(
      quorumLease.timers.map(({ word, fire }) => [word, savingLater(fire as Action)]),
    ),
    SYNC(my: Any) {
      my.disk = Object.fromEntries(GRANTED.map((field) => [field, my[field]]))
    },
  },
} as Any)

function savingLater(action: Action): Action {
  return (my, net) => {
    action(my, net)
    if (GRANTED.some((field) => my[field] !== my.disk[field])) net.after(0, SYNC)
  }
}

/** A voter without memory learns at once, and waits meanwhile. */
export const learnsFirst = withMistake({
  recover(my, net, original) {
    original(my, net)
    if (my.memory) return
    my.promised = true
    net.after(my.lease, PROMISE)
    net.after(0, WAIT)
  },
})

/** Nodes with ids below this one vote, but do not stand. */
export function witnesses(definition: Algorithm, below: number): Algorithm {
  const action = (my: Any, net: Any, original: Action) => {
    my.abstains = my.id < below
    original(my, net)
  }
  return withMistake({ start: action, recover: action }, definition)
}

/** A renewal may come from any incarnation of the holder. Like all renewals it writes nothing. */
export const renewsAnyIncarnation = withMistake({
  on: {
    ASK(my, body, net, original) {
      const { holderIncarnation } = my
      const renews = my.holder === net.from && my.term === body.term
      if (renews) my.holderIncarnation = body.incarnation
      original(my, body, net)
      if (renews) my.holderIncarnation = holderIncarnation
    },
  },
})
