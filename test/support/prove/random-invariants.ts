import type { Random } from '../../../src/core/index.ts'

/* Random protocols on rings with random clauses, as text: some of them may be inductive. */

/** How many clauses are drawn for a protocol that states some. */
const CLAUSES = 6

const STATUSES = ['leader', 'leader', 'asleep', 'unknown', 'lost']

/** The members of a definition, for `definitionOf`. */
export function randomInvariant(random: Random): string {
  return new Writer(random).members()
}

class Writer {
  private readonly fifo: boolean

  constructor(private readonly random: Random) {
    this.fifo = this.chance(3)
  }

  members(): string {
    return `needs: { ...RING${this.fifo ? ", order: 'fifo'" : ''} },
  messages: { A, B },
  state: { best: uid, prior: maybe(uid), seen: flag, count: below(3), side: link },
  wakes: ${this.one('true', 'false')},
  start(my, net) {
    ${this.chance(4) ? '' : 'my.best = my.id'}
    ${this.block(1, ['my.id', 'my.best'])}
    ${this.sends(['my.id'])}
  },
  on: {
    A(my, { id }, net) {
      ${this.block(2, ['my.id', 'id', 'my.best'])}
    },
    B(my, { id }, net) {
      ${this.block(1, ['my.id', 'id', 'my.best'])}
    },
  },
  ${this.chance(5) ? '' : `invariant: ({ nodes, each }) => ({ ${this.clauses()} }),`}`
  }

  private block(depth: number, ids: readonly string[]): string {
    const count = 1 + this.random.below(2)
    return Array.from({ length: count }, () => this.statement(depth, ids)).join('; ')
  }

  private statement(depth: number, ids: readonly string[]): string {
    if (depth > 0 && this.random.below(5) < 3) {
      const otherwise = this.chance(2) ? ` else { ${this.block(depth - 1, ids)} }` : ''
      return `if (${this.condition(ids)}) { ${this.block(depth - 1, ids)} }${otherwise}`
    }
    return this.one(
      () => `my.best = ${this.one(...ids)}`,
      () => `my.prior = ${this.one('null', ...ids)}`,
      () => `my.seen = ${this.one('true', 'true', 'false')}`,
      () => 'if (my.count < 2) my.count++',
      () => `my.side = ${this.one('left', 'right')}`,
      () => this.sends(ids),
      () => this.sends(ids),
      () => 'net.lead()',
      () => `if (${this.condition(ids)}) net.lead()`,
      () => `net.follow(${this.one(...ids)})`,
      () => this.one('net.stop()', 'net.withdraw()'),
    )()
  }

  private sends(ids: readonly string[]): string {
    const link = this.one(
      'left',
      'left',
      'left',
      'right',
      ...(ids.includes('id') ? ['net.onward', 'net.from'] : []),
    )
    return `net.send(${link}, ${this.one('A', 'A', 'B')}, { id: ${this.one(...ids)} })`
  }

  private condition(ids: readonly string[]): string {
    const simple = this.one(
      () => `${this.one(...ids)} ${this.one('<', '>', '===', '!==', '>=')} ${this.one(...ids)}`,
      () => (ids.includes('id') ? `id ${this.one('<', '>', '===')} my.id` : 'my.seen'),
      () => this.one('my.seen', '!my.seen', 'my.count === 2', 'my.count < 1', 'my.side === left'),
      () => `my.prior ${this.one('===', '!==')} ${this.one('null', ...ids)}`,
      () => `my.status ${this.one('===', '!==')} 'leader'`,
      () => (ids.includes('id') ? `net.from === ${this.one('left', 'right')}` : '!my.seen'),
    )()
    return this.chance(4) ? `(${simple}) ${this.one('&&', '||')} (${this.condition(ids)})` : simple
  }

  private clauses(): string {
    return Array.from({ length: CLAUSES }, (_, i) => `'clause ${i}': ${this.clause()}`).join(',\n')
  }

  /** Over at most two nodes and messages together, seldom three: larger ones take long. */
  private clause(): string {
    const messages = ['m', 'o'].slice(0, this.one(0, 0, 1, 1, 1, 1, 2))
    const nodes = ['a', 'b', 'c'].slice(
      0,
      this.random.below((this.chance(6) ? 4 : 3) - messages.length),
    )
    const named = [...nodes, ...(messages.length + nodes.length === 0 ? ['a'] : [])]
    const count = 2 + this.random.below(3)
    const literals = Array.from({ length: count }, () => this.literal(named, messages)).join(' || ')
    const predicate = `(${[...messages, ...named, 'ring'].join(', ')}) => ${literals}`
    const kinds = messages.map(() => this.one('A', 'A', 'B')).join(', ')
    return messages.length === 0
      ? `nodes(${named.length}, ${predicate})`
      : `each(${kinds}).and(${named.length}, ${predicate})`
  }

  private literal(nodes: readonly string[], messages: readonly string[]): string {
    const places = [...nodes, ...messages.map((m) => `${m}.to`)]
    const place = () => this.one(...places)
    const ids = [
      ...places.flatMap((at) => [`${at}.id`, `${at}.id`, `${at}.best`]),
      ...messages.map((m) => `${m}.id`),
    ]
    const some = [...ids, ...places.flatMap((at) => [`${at}.prior`, `${at}.leader`])]
    const message = () => this.one(...messages)
    return this.one(
      () => `${this.one(...ids)} ${this.one('<', '>=', '<=')} ${this.one(...ids)}`,
      () => `${this.one(...some)} ${this.one('===', '!==', '!==')} ${this.one(...some)}`,
      () => `${place()}.status ${this.one('!==', '!==', '===')} '${this.one(...STATUSES)}'`,
      () => `${this.one('', '!')}${place()}.${this.one('seen', 'stopped')}`,
      () => `${place()}.count ${this.one('===', '!==')} ${this.random.below(3)}`,
      () => `${place()}.${this.one('prior', 'leader')} ${this.one('===', '!==')} null`,
      () =>
        messages.length > 0
          ? `${message()}.from === ${this.one('right', 'right', 'left')}`
          : `${place()}.side === left`,
      () => `${place()} ${this.one('===', '!==')} ${place()}`,
      () => `${this.one('', '!')}ring.inside(${place()}, ${place()}, ${place()})`,
      () =>
        this.fifo && messages.length === 2
          ? `${this.one('', '!')}ring.ahead(${this.one('m, o', 'o, m')})`
          : `${place()}.status !== 'leader'`,
    )()
  }

  private chance(of: number): boolean {
    return this.random.below(of) === 0
  }

  private one<T>(...choices: readonly T[]): T {
    return choices[this.random.below(choices.length)]
  }
}
