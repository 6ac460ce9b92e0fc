/**
 * An election with one beginner's mistake. The source is valid TypeScript and valid JavaScript:
 * the compiler finds most of the mistakes in the first, and the engines must find all of them in
 * the second.
 */
export interface PlantedMistake {
  readonly name: string
  /** Replacements in the correct source, each of which must match. */
  readonly edits: readonly (readonly [piece: string, by: string])[]
  /**
   * refused: no verdict about the election, but one message with file and line. violated: the
   * mistake is in the algorithm itself, and a property shows it.
   */
  readonly outcome: 'refused' | 'violated'
  /** A text on the line that the message must name; left out: any line; empty: the file only. */
  readonly at?: string
  /** A property, for those that are violated; otherwise part of the message in either language. */
  readonly says: RegExp
  /** Ids without which the mistake makes no difference. */
  readonly ids?: string
}

/** The election of LCR with an announcement, without a mistake. */
export const CORRECT = `import { algorithm, flag, left, message, nat, timer, uid } from 'conclave'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })
const WAIT = timer()

export default algorithm({
  name: 'mine',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  timers: { WAIT },
  state: { laps: nat, seen: flag },
  wakes: true,
  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
  },
  on: {
    ELECTION(my, { id }, net) {
      my.seen = true
      if (id > my.id) net.send(left, ELECTION, { id })
      else if (id === my.id) {
        net.lead()
        net.send(left, LEADER, { id })
      }
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.send(left, LEADER, { id })
      }
      net.stop()
    },
  },
  timeout: {
    WAIT() {},
  },
})
`

const FORWARD = 'if (id > my.id) net.send(left, ELECTION, { id })'
const SEEN = 'my.seen = true'

/** Replaces the line `my.seen = true` of the handler of ELECTION. */
function inHandler(line: string): [string, string] {
  return [SEEN, line]
}

/** Adds a line at the end of the module's head. */
function atTop(line: string): [string, string] {
  return ['const WAIT = timer()\n', `const WAIT = timer()\n${line}\n`]
}

/** A line of the handler of ELECTION that is refused. */
function line(
  name: string,
  by: string,
  says: RegExp,
  more: Partial<PlantedMistake> = {},
): PlantedMistake {
  return { name, edits: [inHandler(by)], outcome: 'refused', at: by, says, ...more }
}

/** A definition that is refused before anything runs; the message names some line of the file. */
function member(name: string, piece: string, by: string, says: RegExp): PlantedMistake {
  return { name, edits: [[piece, by]], outcome: 'refused', says }
}

export const MISTAKES: readonly PlantedMistake[] = [
  line('an id as a string', 'net.send(left, ELECTION, { id: String(my.id) })', /string/),
  line('a link that does not exist', 'net.send(5, ELECTION, { id })', /link 5/),
  {
    name: 'a leader that never stops',
    edits: [['net.stop()', '']],
    outcome: 'violated',
    says: /the leader terminates/,
  },
  {
    name: 'an announcement that circulates forever',
    edits: [
      ['if (id !== my.id) {', '{'],
      ['net.stop()', ''],
    ],
    outcome: 'violated',
    says: /the leader terminates|every fair run ends|a leader stays leader|undecided/,
  },
  {
    name: 'a variable outside of the state',
    edits: [atTop('let heard = 0'), inHandler('heard = heard + 1')],
    outcome: 'refused',
    at: 'heard = heard + 1',
    says: /heard.*state/s,
  },
  {
    name: 'an array outside of the state',
    edits: [
      atTop('const order = [0]'),
      inHandler('order.push(order.length); my.laps = order.length'),
    ],
    outcome: 'refused',
    at: 'order.push(',
    says: /order/,
  },
  line('Math.random', 'my.laps = Math.floor(Math.random() * 10)', /Math\.random.*(choose|coins)/s),
  line('Date.now', 'my.laps = Date.now()', /Date/),
  line('new Date', 'my.laps = new Date().getTime()', /Date/),
  line('performance.now', 'my.laps = Math.floor(performance.now())', /performance/),
  line('an endless loop that sends', 'while (true) net.send(left, ELECTION, { id })', /return/),
  line('an endless loop that does nothing', 'for (;;) {}', /return/),
  line('a recursion without end', 'const again = () => { again() }; again()', /without end|recurs/),
  line('an error of its own', "if (id === my.id) throw new Error('I won')", /I won/),
  line('a TypeError', 'const list = [[1]]; list[7].push(2)', /undefined/),
  {
    name: 'an async handler',
    edits: [['ELECTION(my, { id }, net) {', 'async ELECTION(my, { id }, net) {']],
    outcome: 'refused',
    at: 'async ELECTION',
    says: /async/,
  },
  {
    name: 'an async handler that throws',
    edits: [
      ['ELECTION(my, { id }, net) {', 'async ELECTION(my, { id }, net) {'],
      inHandler("throw new Error('late')"),
    ],
    outcome: 'refused',
    at: 'async ELECTION',
    says: /async/,
  },
  line('an object in place of an id', 'net.send(left, ELECTION, { id: { value: id } })', /id/),
  line('a field that the message has not', 'net.send(left, ELECTION, { id, hop: 1 })', /hop/),
  line('a missing field', 'net.send(left, ELECTION, {})', /id/),
  line('a field that is undefined', 'net.send(left, ELECTION, { id: undefined })', /id/),
  line('a message without a body', 'net.send(left, ELECTION)', /body|arguments/),
  {
    name: 'an undeclared message',
    edits: [
      atTop('const OTHER = message({ id: uid })'),
      inHandler('net.send(left, OTHER, { id })'),
    ],
    outcome: 'refused',
    at: 'net.send(left, OTHER',
    says: /messages/,
  },
  line('an undeclared field that is written', 'my.rounds = 1', /rounds/),
  line('an undeclared field that is read', 'if (my.rounds > 1) net.lead()', /rounds/),
  line('an undeclared number of nodes', 'my.laps = net.n', /\bn\b.*knows/s),
  line('undeclared neighbours', 'my.seen = net.peer(left) === id', /peer.*knows/s),
  line('undeclared liveness', 'my.seen = net.up(left)', /up.*knows/s),
  line('undeclared weights', 'my.laps = net.weight(left)', /weight.*knows/s),
  line('undeclared coins', 'my.laps = net.choose(2)', /choose.*coins/s),
  line('an operation that does not exist', 'net.broadcast(ELECTION, { id })', /broadcast/),
  line('a status that is assigned', "my.status = 'leader'", /status/),
  line('a natural number below 0', 'my.laps = my.laps - 1', /laps.*-1/s),
  line('a natural number with a fraction', 'my.laps = 0.5', /laps.*0\.5/s),
  line('a flag that is 3', 'my.seen = 3', /3|number/),
  line('a timer of the host', 'setTimeout(() => net.lead(), 10)', /setTimeout.*timer/s),
  {
    name: 'the smallest id wins',
    edits: [[FORWARD, 'if (id < my.id) net.send(left, ELECTION, { id })']],
    outcome: 'violated',
    says: /largest/,
  },
  {
    name: 'a magic id',
    edits: [['(id === my.id) {', '(id === my.id || my.id == 77) {']],
    outcome: 'violated',
    says: /leader|not an id/,
    ids: '77,80,5',
  },
  line('an id that is assigned', 'my.id = id', /id/),
  {
    name: 'a misspelt handler',
    edits: [['    LEADER(my, { id }, net) {', '    LEAD(my, { id }, net) {']],
    outcome: 'refused',
    says: /LEAD/,
  },
  member('a topology that does not exist', "'ring'", "'rings'", /rings.*ring/s),
  member('a misspelt need', "ids: 'unique'", "id: 'unique'", /\bids\b/),
  member('no needs', "  needs: { topology: 'ring', ids: 'unique' },\n", '', /needs/),
  member('no name', "  name: 'mine',\n", '', /name/),
  member('a misspelt announcement', "announcement: 'LEADER'", "announcement: 'LEAD'", /LEAD/),
  {
    name: 'a definition that is not exported',
    edits: [['export default algorithm', 'const mine = algorithm']],
    outcome: 'refused',
    at: '',
    says: /export/,
  },
  member('no start', 'start(my, net) {', 'begin(my, net) {', /start|begin/),
  member('wakes left out', '  wakes: true,\n', '', /wakes/),
  member('a type as a string', 'message({ id: uid })', "message({ id: 'uid' })", /uid/),
  member('a constructor as a type', 'seen: flag', 'seen: Boolean', /flag/),
  member('a value as a type', 'seen: flag', 'seen: false', /flag/),
  {
    name: 'a syntax error',
    edits: [['start(my, net) {', 'start(my, net {']],
    outcome: 'refused',
    at: 'start(my, net {',
    says: /syntax error/,
  },
  {
    name: 'a missing import',
    edits: [['import { algorithm, flag, ', 'import { algorithm, ']],
    outcome: 'refused',
    at: 'seen: flag',
    says: /flag.*import/s,
  },
]

/** The source with the mistake, and the line that a message must name; null: see `at`. */
export function planted({ edits, at }: PlantedMistake): { source: string; line: number | null } {
  let source = CORRECT
  for (const [piece, by] of edits) {
    if (!source.includes(piece)) throw new Error(`the source has no ${piece}`)
    source = source.replace(piece, () => by)
  }
  if (!at) return { source, line: null }
  return { source, line: source.slice(0, source.indexOf(at)).split('\n').length }
}
