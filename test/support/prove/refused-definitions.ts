/* Definitions that break a condition of the theorem: each was, or might be, proved falsely. */

export interface Hole {
  readonly what: string
  readonly members: string
  /** Code before the definition. */
  readonly before?: string
}

export const NOBODY = `invariant: ({ nodes }) => ({
  'nobody leads': nodes(1, (a) => a.status !== 'leader') })`
export const SENDS_A = 'start(my, net) { net.send(left, A, { id: my.id }) }'
export const NOTHING = 'messages: { P }, start() {}, on: { P() {} }'
export const TERMS = `needs: { ...COMPLETE, knows: ['peers', 'voters'], coins: true },
  problem: leaderPerTerm,
  messages: { ASK, YES }, state: { term, votes: set(link), granted: maybe(uid) },
  start(my, net) { net.sendAll(ASK, {}) }`
export const clause = (text: string) =>
  `invariant: ({ nodes, each }) => ({ 'the clause': ${text} })`

/** A message of the refusal, and what is refused. */
export const refused: readonly (readonly [RegExp, readonly Hole[]])[] = [
  [
    /does something else with other ids/,
    [
      {
        what: 'a handler computes with two ids',
        members: `messages: { A }, ${SENDS_A}, ${NOBODY},
          on: { A(my, { id }, net) { if (id - my.id === 5) net.lead() } }`,
      },
      {
        what: 'a handler compares an id with a number',
        members: `messages: { P }, on: { P() {} }, ${NOBODY},
          start(my, net) { if (my.id === 4) net.lead() }`,
      },
      {
        what: 'a handler compares a term with a number',
        members: `needs: COMPLETE, messages: { T }, state: { term: stable(term) }, ${NOBODY},
          start() {}, on: { T(my, { term }, net) { if (term === 42) net.lead() } }`,
      },
      {
        what: 'a handler compares terms that are far apart',
        members: `needs: COMPLETE, messages: { T }, state: { term: stable(term) }, ${NOBODY},
          start() {}, on: { T(my, { term }, net) { if (term === my.term + 5) net.lead() } }`,
      },
      {
        what: 'a handler looks at the parity of an id',
        members: `messages: { P }, on: { P() {} }, ${NOBODY},
          start(my, net) { if (my.id % 2 === 0) net.lead() }`,
      },
      {
        what: 'a handler writes an id as text',
        members: `messages: { P }, on: { P() {} }, ${NOBODY},
          start(my, net) { if (String(my.id).length > 4) net.lead() }`,
      },
      {
        what: 'handlers share a set outside',
        before: 'const seen = new Set()',
        members: `messages: { A, B }, ${NOBODY},
          start(my, net) { net.send(left, B, { id: my.id }); net.send(left, A, { id: my.id }) },
          on: { A(my) { seen.add(my.id) }, B(my, _, net) { if (!seen.has(my.id)) net.lead() } }`,
      },
      {
        what: 'a handler counts its runs outside',
        before: 'let runs = 0',
        members: `messages: { P }, on: { P() {} }, ${NOBODY},
          start(my, net) { if (++runs % 7 === 0) net.lead() }`,
      },
      {
        what: 'a term is compared with the one after the next',
        members: `needs: COMPLETE, messages: { T }, state: { term }, ${NOBODY},
          start(my, net) { my.term++; net.sendAll(T, { term: my.term }) },
          on: { T(my, { term }, net) { if (term === my.term + 2) net.lead() } }`,
      },
      {
        what: 'a link has a number',
        members: `needs: COMPLETE, messages: { P }, ${NOBODY},
          start(my, net) { net.sendAll(P, {}) },
          on: { P(my, _, net) { if (net.from !== 1) net.lead() } }`,
      },
    ],
  ],
  [
    /does something else when it is run again/,
    [
      {
        what: 'the start sets a variable outside that another handler reads',
        before: 'let armed = false',
        members: `messages: { A, B }, ${NOBODY},
          start(my, net) { armed = true; net.send(left, B, { id: my.id }) },
          on: { A() {}, B(my, _, net) { if (!armed) net.lead() } }`,
      },
    ],
  ],
  [
    /says something else with other ids or terms/,
    [
      {
        what: 'a clause bounds ids',
        members: `${NOTHING}, ${clause('nodes(1, (a) => a.id < 1000)')}`,
      },
      {
        what: 'a clause excludes a number',
        members: `${NOTHING}, ${clause('nodes(1, (a) => a.id !== 4)')}`,
      },
      {
        what: 'a clause computes with ids',
        members: `${NOTHING}, ${clause('nodes(1, (a) => a.id % 2 !== 0)')}`,
      },
      {
        what: 'a clause compares a term with a number',
        members: `needs: COMPLETE, state: { term }, ${NOTHING},
          ${clause('nodes(1, (a) => a.term > 0)')}`,
      },
      {
        what: 'a clause counts terms',
        members: `needs: COMPLETE, messages: { T }, state: { term, moved: flag },
          start(my, net) { net.sendAll(T, { term: my.term }) },
          on: { T(my, { term }, net) {
            if (my.moved || term < my.term) return
            my.moved = true; my.term = term; my.term++; net.sendAll(T, { term: my.term })
          } },
          ${clause('nodes(2, (a, b) => !a.moved || !b.moved || b.term !== a.term + 1)')}`,
      },
    ],
  ],
  [
    /neither a term that the handler has read nor the next one/,
    [
      {
        what: 'a term is counted up by two',
        members: `needs: COMPLETE, messages: { P }, state: { term }, on: { P() {} },
          start(my) { my.term += 2 }`,
      },
    ],
  ],
  [
    /does more with counters/,
    [
      {
        what: 'counters are compared as values',
        members: `messages: { P }, state: { x: counter, y: counter }, ${NOBODY},
          start(my, net) { my.x = next(my.x); net.send(left, P, {}) },
          on: { P(my, _, net) { if (my.x !== my.y) net.lead() } }`,
      },
      {
        what: 'a counter is used as a condition',
        members: `messages: { P }, state: { x: counter }, on: { P() {} }, ${NOBODY},
          start(my, net) { if (!my.x) net.lead() }`,
      },
    ],
  ],
  [
    /computes with a counter/,
    [
      {
        what: 'a handler reads the number of a counter',
        members: `messages: { P }, state: { x: counter }, ${NOBODY},
          start() {}, on: { P(my, _, net) { if (countOf(my.x) === 4000) net.lead() } }`,
      },
      {
        what: 'a counter is compared by <',
        members: `messages: { P }, state: { x: counter }, ${NOBODY},
          start(my, net) { net.send(left, P, {}) },
          on: { P(my, _, net) { my.x = next(my.x); if (my.x > 4) net.lead() } }`,
      },
    ],
  ],
  [
    /may be any number/,
    [
      {
        what: 'a number leads at its fifth message',
        members: `messages: { P }, state: { x: nat }, ${NOBODY},
          start(my, net) { net.send(left, P, {}) },
          on: { P(my, _, net) { if (++my.x === 5) net.lead() } }`,
      },
    ],
  ],
  [
    /reads net\.n/,
    [
      {
        what: 'a handler knows n without saying so',
        members: `messages: { P }, on: { P() {} }, ${NOBODY},
          start(my, net) { if (net.n > 8) net.lead() }`,
      },
    ],
  ],
  [
    /uses net\.peer/,
    [
      {
        what: 'a handler reads the id of a neighbour on a ring',
        members: `needs: { ...RING, knows: ['peers'] }, messages: { P }, on: { P() {} }, ${NOBODY},
          start(my, net) { if (net.peer(left) > my.id) net.lead() }`,
      },
    ],
  ],
  [
    /it knows n\./,
    [{ what: 'n is known', members: `needs: { ...RING, knows: ['n'] }, ${NOTHING}` }],
  ],
  [
    /needs any network/,
    [{ what: 'any graph', members: `needs: { ...RING, topology: 'any' }, ${NOTHING}` }],
  ],
  [/needs rounds/, [{ what: 'rounds', members: `needs: { ...RING, time: 'rounds' }, ${NOTHING}` }]],
  [
    /start together/,
    [{ what: 'one start', members: `needs: { ...RING, start: 'together' }, ${NOTHING}` }],
  ],
  [
    /computes with ids/,
    [{ what: 'ids are numbers', members: `needs: { ...RING, ids: 'numbers' }, ${NOTHING}` }],
  ],
  [
    /answers a failure detector/,
    [{ what: 'a detector', members: `${NOTHING}, down(my, link, net) { net.lead() }, ${NOBODY}` }],
  ],
  [
    /my\.armed is not available/,
    [
      {
        what: 'state that is not declared',
        members: `messages: { A, B }, ${NOBODY},
          start(my, net) { net.send(left, B, { id: my.id }); net.send(left, A, { id: my.id }) },
          on: { A(my) { my.armed = true }, B(my, _, net) { if (!my.armed) net.lead() } }`,
      },
    ],
  ],
  [
    /changes my\.id/,
    [
      {
        what: 'a node takes the id of another',
        members: `messages: { A }, state: { seen: flag }, ${SENDS_A},
          on: { A(my, { id }) { if (!my.seen) my.id = id; my.seen = true } },
          ${clause('nodes(2, (a, b) => a === b || !a.seen || !b.seen || a.id !== b.id)')}`,
      },
    ],
  ],
  [
    /links need not be FIFO/,
    [
      {
        what: 'a deferred message is overtaken on a FIFO link',
        members: `needs: { ...RING, order: 'fifo' }, defers: true, messages: { A, B },
          state: { once: flag, other: maybe(uid) },
          start(my, net) { net.send(left, A, { id: my.id }); net.send(left, B, { id: my.id }) },
          on: {
            A(my, { id }, net) {
              if (!my.once) { my.once = true; return net.defer() }
              if (my.other === id) net.lead()
            },
            B(my, { id }) { my.other = id },
          },
          ${clause('each(A, B).and(0, (a, b, ring) => a.id !== b.id || !ring.ahead(b, a))')}`,
      },
    ],
  ],
  [
    /sends over a link that it does not have from net\.from/,
    [
      {
        what: 'a link by its number is not the sender',
        members: `needs: COMPLETE, messages: { A, B }, ${NOBODY},
          start(my, net) { net.sendAll(A, { id: my.id }) },
          on: {
            A(my, { id }, net) { net.send(1, B, { id }) },
            B(my, { id }, net) { if (id !== my.id) net.lead() },
          }`,
      },
    ],
  ],
  [
    /may name 3 of each/,
    [
      {
        what: 'more messages than are kept apart',
        members: `messages: { A }, on: { A() {} },
          start(my, net) { for (let i = 0; i < 4; i++) net.send(left, A, { id: my.id }) },
          ${clause(`each(A, A, A, A).and(0, (...m) =>
            new Set(m.slice(0, 4)).size < 4 || m[0].id !== m[3].id)`)}`,
      },
    ],
  ],
  [
    /three need not/,
    [
      {
        what: 'three majorities have nobody in common',
        members: `${TERMS}, on: {
            ASK(my, _, net) {
              if (my.granted !== null && my.granted !== net.peer(net.from)) return
              my.granted = net.peer(net.from)
              net.send(net.from, YES, {})
            },
            YES(my, _, net) {
              my.votes.add(net.from)
              if (net.majority(my.votes, true)) net.lead({ term: my.term })
            },
          },
          ${clause(`each(LED, LED, LED).and(0, (a, b, c) =>
            a.to === b.to || b.to === c.to || a.to === c.to)`)}`,
      },
    ],
  ],
  [
    /used after another set has replaced it/,
    [
      {
        what: 'a set under two names',
        members: `${TERMS}, on: {
            ASK(my, _, net) { net.send(net.from, YES, {}) },
            YES(my, _, net) {
              const old = my.votes
              old.add(net.from)
              my.votes = new Set()
              if (net.majority(old, true)) net.lead({ term: my.term })
            },
          },
          ${clause('each(LED).and(1, (led, b) => !led.votes.has(b) || b === led.to)')}`,
      },
    ],
  ],
]
