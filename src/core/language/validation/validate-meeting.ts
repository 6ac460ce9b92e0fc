import { UsageError } from '../../usage-error.ts'
import type { Fields } from '../value-types.ts'

/** The parts of a definition with `meet` that must agree with it. */
interface MeetingDefinition extends Readonly<Record<string, unknown>> {
  readonly needs: Readonly<Record<string, unknown>> & { readonly knows?: readonly string[] }
  readonly messages: object
  readonly state: Fields
}

/** What belongs to messages, timers and faults, and so to no algorithm whose nodes meet. */
const WITHOUT_MEETINGS = [
  'announcement',
  'timers',
  'timeout',
  'recover',
  'down',
  'up',
  'defers',
  'lasting',
  'handover',
  'tree',
  'computes',
  'finds',
  'byAttribute',
  'candidate',
]

/** Refuses definitions that mix meetings with messages, or know more than nodes that meet can. */
export function validateMeeting(name: string, given: MeetingDefinition): void {
  const refuse = (where: string, problem: string, hint: string): never => {
    throw new UsageError(`${name}: ${where}`, problem, hint)
  }
  const [word] = Object.keys(given.messages)
  if (word !== undefined)
    refuse(
      'messages',
      `nodes that meet send no messages, but ${word} is declared.`,
      'Write messages: {} and on: {}, or remove meet.',
    )
  const [member] = WITHOUT_MEETINGS.filter((one) => given[one] !== undefined)
  if (member !== undefined)
    refuse(
      member,
      `an algorithm whose nodes meet has no ${member}: there are only start and meet.`,
      'Remove it, or remove meet.',
    )
  if (given.starters === 'first')
    refuse('starters', 'all nodes start before the first meeting.', 'Remove it.')
  const { knows = [], time, order } = given.needs
  const known = knows.find((what) => what !== 'n')
  if (known !== undefined)
    refuse(
      'needs: knows',
      `nodes that meet cannot know '${known}': they see the state of the other node.`,
      "Write knows: ['n'], or leave it out.",
    )
  for (const [need, value] of Object.entries({ time, order }))
    if (value !== undefined)
      refuse(
        `needs: ${need}`,
        `'${value}' is about messages, but nodes that meet send none.`,
        'Leave it out.',
      )
  const fraction = Object.keys(given.state).find((field) => {
    return given.state[field].codec?.integer === false
  })
  if (fraction !== undefined)
    refuse(
      'state',
      `${fraction} holds a fraction, but nodes that meet have whole numbers, flags and words.`,
      'Use nat, flag or oneOf, or gossip an aggregate instead.',
    )
}
