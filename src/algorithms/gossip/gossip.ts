import {
  type Aggregate,
  type AggregateFieldName,
  type Algorithm,
  algorithm,
  message,
  type NodeInput,
  nat,
  oneOf,
  real,
  type Theory,
  timer,
  type Values,
  type ValueType,
} from '../../core/index.ts'
import { handling } from './handling.ts'

export interface Gossip {
  readonly name: string
  readonly aggregate: Aggregate
  readonly theory: Theory
  /**
   * As text 004 prints it: both sides set the mean of what they have and what they hear. Where
   * exchanges overlap, what the active side has is no longer what it sent, and the sum is lost.
   */
  readonly literal?: boolean
}

/** What may be set for every aggregation by messages. */
export const gossipParams = {
  period: { says: 'time units in which every node begins one exchange', value: () => 10 },
  epoch: { says: 'after how many cycles all begin anew; 0: never', value: () => 0 },
  evaporation: {
    says: 'how far estimates go back to the own value in a cycle, from 0 to 1',
    value: () => 0,
  },
  exchanges: { says: 'how many exchanges a node begins in all; 0: without end', value: () => 0 },
}

/** What only nodes that count epochs have. */
const counting = {
  /** The number of the epoch, and how many periods of it are over. */
  era: nat,
  cycle: nat,
  /** Whether it has met another of its epoch; who has not is a newcomer, and waits for the next. */
  standing: oneOf('new', 'waiting', 'member'),
}

type Numbers = Record<AggregateFieldName, ValueType<number>>
type BodyFields = Numbers & { era: ValueType<number> }
type StateFields = BodyFields & typeof counting & Record<'moment' | 'begun', ValueType<number>>
type Me = Values<StateFields> & NodeInput

/**
 * Push-pull gossip (Jelasity, Montresor and Babaoglu, 2005; text 004): in each period every node,
 * at a fresh random moment, exchanges with a random neighbour. The passive side computes what it
 * must change, changes it, and answers the opposite; the active side adds what it is told. Nothing
 * is remembered, so that overlapping exchanges keep the sum. Two messages per node and period; on a
 * complete network each period leaves about 1 / (2 sqrt e) of the variance.
 */
export function gossip(given: Gossip): Algorithm {
  const withEpochs = formOf(given, true)
  return { ...formOf(given, false), variant: ({ epoch }) => (epoch === 0 ? null : withEpochs) }
}

/** Only where there are epochs do nodes count them, and messages carry their number. */
function formOf({ name, aggregate, theory, literal = false }: Gossip, epochs: boolean): Algorithm {
  const { restart, evaporate, exchange, conclude, names } = handling(aggregate.parts, literal)
  const numbers = Object.fromEntries(names.map((part) => [part, real]))
  const body = (epochs ? { ...numbers, era: nat } : numbers) as BodyFields
  const state = { ...numbers, ...(epochs && counting), moment: real, begun: nat } as StateFields
  const PUSH = message(body)
  const ANSWER = message(body)
  const TICK = timer()

  /** A later epoch pulls a member forward; a newcomer lets the one that it hears of pass. */
  function keepUp(my: Me, era: number): void {
    if (my.standing === 'new' && era > my.era) {
      my.standing = 'waiting'
      my.era = era + 1
    } else if (era >= my.era) {
      if (era > my.era || my.standing === 'waiting') begin(my, era)
      my.standing = 'member'
    }
  }

  function begin(my: Me, era: number): void {
    my.era = era
    my.cycle = 0
    restart(my)
  }

  return algorithm({
    name,
    needs: { topology: 'any', knows: ['inputs'], coins: true },
    messages: { PUSH, ANSWER },
    timers: { TICK },
    params: gossipParams,
    state,
    wakes: true,
    lasting: true,
    computes: { aggregate, carrier: literal ? null : 'ANSWER' },

    start(my, net) {
      restart(my)
      my.moment = net.moment(my.period)
      net.after(my.moment, TICK)
    },

    on: {
      PUSH(my, heard, net) {
        if (epochs) keepUp(my, heard.era)
        if (epochs && (heard.era !== my.era || my.standing === 'waiting')) return
        exchange(my, heard)
        net.send(net.from, ANSWER, heard)
      },

      ANSWER(my, told) {
        if (epochs && (told.era !== my.era || my.standing === 'waiting')) return
        if (epochs) my.standing = 'member'
        conclude(my, told)
      },
    },

    timeout: {
      TICK(my, net) {
        const { moment, period } = my
        if (epochs && my.standing !== 'waiting' && my.cycle++ === my.epoch) {
          begin(my, my.era + 1)
          my.cycle = 1
        }
        if (my.evaporation > 0) evaporate(my, my.evaporation)
        const link = epochs && my.standing === 'waiting' ? null : net.pick()
        if (link !== null) net.send(link, PUSH, my)
        if (my.exchanges > 0 && ++my.begun === my.exchanges) return
        my.moment = net.moment(period)
        net.after(period - moment + my.moment, TICK)
      },
    },

    theory,
  })
}
