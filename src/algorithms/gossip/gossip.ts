import {
  type Aggregate,
  type Algorithm,
  algorithm,
  type EventContext,
  flag,
  message,
  type Net,
  type NodeInput,
  nat,
  oneOf,
  real,
  type ShownId,
  type Theory,
  timer,
  type Values,
  type ValueType,
} from '../../core/index.ts'
import { type Handling, handling } from './handling.ts'
import { roundParams } from './rounds.ts'

export interface Gossip {
  readonly name: string
  readonly aggregate: Aggregate
  readonly theory: Theory
  /**
   * The form of Zambonelli (2023): both sides set the mean of their own number and the received
   * one. If exchanges overlap, the active side has changed its number meanwhile, and the sum
   * drifts.
   */
  readonly literal?: boolean
}

/** The parameters of all aggregations by messages. */
export const gossipParams = {
  period: roundParams.period,
  epoch: { says: 'the number of cycles after which all restart; 0: never', value: () => 0 },
  evaporation: {
    says: 'the fraction by which estimates return to the own value per cycle, from 0 to 1',
    value: () => 0,
  },
  exchanges: roundParams.exchanges,
}

/** Whether estimates can evaporate: rows only where they are averages. */
export function evaporates({ row }: Aggregate): boolean {
  return row === undefined || row.rule.averages.length > 0
}

/** The parameters with which an aggregate can be computed. */
export function paramsOf(aggregate: Aggregate): typeof gossipParams {
  const { epoch, evaporation, ...always } = gossipParams
  return {
    ...always,
    ...(!aggregate.row?.stages && { epoch }),
    ...(evaporates(aggregate) && { evaporation }),
  } as typeof gossipParams
}

/** The fields of nodes that count epochs. */
const counting = {
  /** The number of the epoch, and the number of its periods that are over. */
  era: nat,
  cycle: nat,
  /** A node that has met no other of its epoch is new, and waits for the next epoch. */
  standing: oneOf('new', 'waiting', 'member'),
}

type EraField = { era: ValueType<number> }
type BodyFields = EraField & { answers: ValueType<boolean> }
type StateFields = EraField & typeof counting & Record<'moment' | 'begun', ValueType<number>>
type GossipNet = Net<'coins'>
type Me = Values<StateFields> & NodeInput

/**
 * Push-pull gossip (Jelasity, Montresor and Babaoglu, 2005; Zambonelli 2023): in each period every
 * node, at a fresh random moment, exchanges with a random neighbour. The passive side computes its
 * change, applies it, and answers with the opposite; the active side adds the answer. No side keeps
 * state about an exchange, so overlapping exchanges keep the sum. Two messages per node and period;
 * on a complete network each period leaves about 1 / (2 sqrt e) of the variance.
 */
export function gossipAlgorithm(given: Gossip): Algorithm {
  // Stages are epochs of a fixed length.
  if (given.aggregate.row?.stages) return formOf(given, true)
  const withEpochs = formOf(given, true)
  return { ...formOf(given, false), variant: ({ epoch }) => (epoch === 0 ? null : withEpochs) }
}

/**
 * Only with epochs do nodes count them and messages carry their number. Long, since its handlers
 * share the fields and messages that the aggregate decides: parted, each would need all of them.
 */
function formOf({ name, aggregate, theory, literal = false }: Gossip, epochs: boolean): Algorithm {
  const operations = handling(aggregate, literal)
  const { restart, evaporate, exchange, conclude, advance, exceeds, fields } = operations
  const { stages, floods = false, owners = false, message: word } = aggregate.row ?? {}
  const forgets = evaporates(aggregate)
  const held = { ...fields, ...(epochs && { era: nat }) } as EraField
  const heldNames = Object.keys(held) as (keyof EraField)[]
  const body = (word === undefined ? held : { ...held, answers: flag }) as BodyFields
  const state = {
    ...fields,
    ...(epochs && counting),
    moment: real,
    begun: nat,
  } as StateFields
  const PUSH = message(body)
  // Where both have the same name, a flag tells them apart.
  const ANSWER = word === undefined ? message(body) : PUSH
  const TICK = timer()

  /** A member joins a later epoch at once; a new node waits for the epoch after it. */
  function keepUp(my: Me, received: Values<BodyFields>, net: GossipNet): void {
    const { era } = received
    if (my.standing === 'new' && era > my.era) {
      my.standing = 'waiting'
      my.era = era + 1
    } else if (era >= my.era) {
      if (era > my.era || my.standing === 'waiting') begin(my, era, received, net)
      my.standing = 'member'
    }
  }

  function begin(my: Me, era: number, received: object | null, net: GossipNet): void {
    my.era = era
    my.cycle = 0
    if (stages) advance(my, received)
    else restart(my, () => net.random())
  }

  /** What a node learns it tells all others at once. */
  function flood(my: Me, net: GossipNet): void {
    if (floods) net.sendOthers(PUSH, carried(my, false))
  }

  /** The body of a message: the numbers of a state or a body, and whether it answers. */
  function carried(from: Values<EraField>, answers: boolean): Values<BodyFields> {
    if (word === undefined) return from as Values<BodyFields>
    return {
      ...Object.fromEntries(heldNames.map((name) => [name, from[name]])),
      answers,
    } as Values<BodyFields>
  }

  function onPush(my: Me, received: Values<BodyFields>, net: GossipNet): void {
    if (epochs) keepUp(my, received, net)
    if (epochs && (received.era !== my.era || my.standing === 'waiting')) return
    // A node that has said nothing new needs no answer while news are flooded.
    const needed = !floods || exceeds(my, received)
    if (exchange(my, received)) flood(my, net)
    if (needed) net.send(net.from, ANSWER, carried(received, true))
  }

  function onAnswer(my: Me, answer: Values<BodyFields>, net: GossipNet): void {
    if (epochs && (answer.era !== my.era || my.standing === 'waiting')) return
    if (epochs) my.standing = 'member'
    if (conclude(my, answer)) flood(my, net)
  }

  function onRow(my: Me, row: Values<BodyFields>, net: GossipNet): void {
    if (row.answers) onAnswer(my, row, net)
    else onPush(my, row, net)
  }

  const reasonOf = reasons(operations, epochs)

  return algorithm({
    name,
    needs: {
      topology: 'any',
      knows: ['inputs'],
      coins: true,
      ...(owners && { ids: 'unique' as const }),
    },
    messages: word === undefined ? { PUSH, ANSWER } : { [word]: PUSH },
    timers: { TICK },
    params: paramsOf(aggregate),
    state,
    wakes: true,
    lasting: true,
    computes: { aggregate, carrier: literal || word !== undefined ? null : 'ANSWER' },

    start(my, net) {
      restart(my, () => net.random())
      if (floods) net.sendAll(PUSH, carried(my, false))
      my.moment = net.moment(my.period)
      net.after(my.moment, TICK)
    },

    on: word === undefined ? { PUSH: onPush, ANSWER: onAnswer } : { [word]: onRow },

    timeout: {
      TICK(my, net) {
        const { moment, period } = my
        const length = stages ? stages.cycles : my.epoch
        if (epochs && my.standing !== 'waiting' && my.cycle++ === length) {
          begin(my, my.era + 1, null, net)
          my.cycle = 1
        }
        if (forgets && my.evaporation > 0) evaporate(my, my.evaporation)
        const link = epochs && my.standing === 'waiting' ? null : net.pick()
        if (link !== null) net.send(link, PUSH, carried(my, false))
        if (my.exchanges > 0 && ++my.begun === my.exchanges) return
        my.moment = net.moment(period)
        net.after(period - moment + my.moment, TICK)
      },
    },

    reasons: {
      ...(word === undefined
        ? { PUSH: reasonOf(() => false), ANSWER: reasonOf(() => true) }
        : { [word]: reasonOf((row) => row.answers) }),
      TICK: () => 'begins an exchange with a random neighbour',
    },

    theory,
  })
}

/** Why a node does what it does with a push, or with an answer. */
function reasons({ conclude, exchange, copy, figure }: Handling, epochs: boolean) {
  /** How the first number changes, or the estimate: the others are parts of the same estimate. */
  function moveText(before: object, after: object): string {
    const [from, to] = [before, after].map((held) => String(Number(figure(held).toPrecision(4))))
    return from === to ? `stays at ${to}` : `goes from ${from} to ${to}`
  }

  return (answers: (body: Values<BodyFields>) => boolean) =>
    (my: Me, body: Values<BodyFields>, _: ShownId, { from, node }: EventContext) => {
      if (epochs && body.era !== my.era) return `is in another epoch than ${node(from)}`
      const [before, after] = [copy(my), copy(my)]
      if (answers(body)) conclude(after, body)
      else exchange(after, copy(body))
      const what = answers(body) ? 'has the answer of' : 'exchanges with'
      return `${what} ${node(from)} and ${moveText(before, after)}`
    }
}
