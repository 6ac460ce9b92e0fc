import type { Random } from '../../src/core/index.ts'

/* Small random protocols as source text: handlers out of a grammar of comparisons and actions. */

/** A definition as a file of its own. */
export interface RandomDefinition {
  readonly source: string
  readonly n: number
  /** Whether it does anything with ids but compare them with each other. */
  readonly computes: boolean
}

const CONSTANTS = [0, 1, 2, 3, 4, 5, 7, 8, 16, 42, 77, 100, 255, 1000, 65_536, 1_000_003]
const MODULI = [2, 3, 4, 5, 7, 10, 64]

/** The most steps that a token goes. */
const MOST_HOPS = 3

export function randomDefinition(random: Random): RandomDefinition {
  return new DefinitionWriter(random).definition()
}

class DefinitionWriter {
  private readonly computes: boolean
  private computed = false

  constructor(private readonly random: Random) {
    this.computes = random.below(2) === 0
  }

  definition(): RandomDefinition {
    const n = this.random.below(4) === 0 ? 3 : 2
    const [start, token] = [this.startText(), this.block(2, true)]
    const most = 1 + this.random.below(n)
    const source = `import { algorithm, flag, left, message, nat, right, uid } from 'conclave'

const TOKEN = message({ id: uid, hop: nat })

export default algorithm({
  name: 'random',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { TOKEN },
  state: { best: uid, count: nat, seen: flag },
  wakes: ${this.one('true', 'true', 'false')},
  problem: {
    name: 'few leaders',
    properties: [
      {
        name: 'at most ${most}',
        when: 'always',
        broken: ({ leaders }) => (leaders.length > ${most} ? 'too many lead' : null),
      },
      ${this.finalProperty()}
    ],
  },
  start(my, net) {
    my.best = my.id
    ${start}
  },
  on: {
    TOKEN(my, { id, hop }, net) {
      ${token}
    },
  },
})
`
    return { source, n, computes: this.computed }
  }

  /** Not always one: most random protocols come to a bad end. */
  private finalProperty(): string {
    if (this.random.below(2) === 0) return ''
    const condition = this.one(
      'leaders.length === 0',
      'leaders.length > 0 && leaders.every((node) => state(node).count > 2)',
      'leaders.some((node) => state(node).best !== state(node).id)',
      'leaders.length > 1',
    )
    return `{
        name: 'a good end',
        when: 'at the end',
        broken: ({ leaders, state }) => (${condition} ? 'a bad end' : null),
      },`
  }

  private startText(): string {
    const sends = this.one(
      'net.send(left, TOKEN, { id: my.id, hop: 0 })',
      'net.send(left, TOKEN, { id: my.id, hop: 0 })',
      'net.send(right, TOKEN, { id: my.id, hop: 0 })',
      'net.sendAll(TOKEN, { id: my.id, hop: 0 })',
    )
    return this.computes && this.random.below(4) === 0
      ? `if (${this.computation(['my.id'])}) ${sends}`
      : sends
  }

  private block(depth: number, outermost = false): string {
    const count = (outermost ? 2 : 1) + this.random.below(2)
    return Array.from({ length: count }, () => this.statement(depth)).join('\n      ')
  }

  private statement(depth: number): string {
    if (depth > 0 && this.random.below(5) < 3) {
      const otherwise = this.random.below(2) === 0 ? ` else { ${this.block(depth - 1)} }` : ''
      return `if (${this.condition()}) { ${this.block(depth - 1)} }${otherwise}`
    }
    return this.one(
      `my.best = ${this.uid()}`,
      `if (id > my.best) my.best = id`,
      `my.seen = ${this.one('true', 'false')}`,
      `if (my.count < 3) my.count++`,
      `if (hop < ${MOST_HOPS}) net.send(${this.link()}, TOKEN, { id: ${this.uid()}, hop: hop + 1 })`,
      `if (hop < ${MOST_HOPS}) net.send(${this.link()}, TOKEN, { id, hop: hop + 1 })`,
      'net.lead()',
      `if (id === my.id) net.lead()`,
      `net.follow(${this.uid()})`,
      'net.stop()',
    )
  }

  private condition(): string {
    const simple = this.one(
      () => `${this.uid()} ${this.one('<', '>', '===', '!==')} ${this.uid()}`,
      () => `id ${this.one('<', '>', '===')} my.id`,
      () => `hop ${this.one('<', '>=')} ${1 + this.random.below(MOST_HOPS)}`,
      () => `my.count ${this.one('<', '===')} ${this.random.below(3)}`,
      () => this.one('my.seen', '!my.seen'),
      () => (this.computes ? this.computation(['my.id', 'id', 'my.best']) : 'id >= my.best'),
    )()
    if (this.random.below(4) > 0) return simple
    return `(${simple}) ${this.one('&&', '||')} (${this.condition()})`
  }

  /** Anything but a comparison of two ids. */
  private computation(ids: readonly string[]): string {
    this.computed = true
    const [a, b] = [this.one(...ids), this.one(...ids)]
    const [number, modulus] = [this.one(...CONSTANTS), this.one(...MODULI)]
    return this.one(
      `Number(${a}) ${this.one('<', '>', '===', '!==')} ${number}`,
      `Number(${a}) % ${modulus} === ${this.random.below(modulus)}`,
      `Number(${a}) - Number(${b}) > ${number}`,
      `String(${a}) < String(${b})`,
      `(Number(${a}) & ${2 ** this.random.below(6)}) !== 0`,
      `${a} == ${number}`,
    )
  }

  private uid(): string {
    return this.one('my.id', 'id', 'my.best')
  }

  private link(): string {
    return this.one('net.onward', 'net.onward', 'left', 'right', 'net.from')
  }

  private one<T>(...choices: readonly T[]): T {
    return choices[this.random.below(choices.length)]
  }
}
