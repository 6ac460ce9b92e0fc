import { checkMemberAddress } from '../../coordinator/member-address.ts'
import { adviceOnSize } from '../../coordinator/membership/change-rules.ts'
import { controlRequest } from '../../coordinator/operations/control.ts'
import type { CoordinatorStatus } from '../../coordinator/operations/status.ts'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import type { Io, Leave } from '../io.ts'
import { columns } from '../terminal/format.ts'
import { Verb } from '../verb.ts'

interface Options {
  readonly storage: string
  readonly witness?: true
  readonly json?: true
}

const ACTIONS = ['list', 'add', 'remove']

const EXAMPLES = `
Asks a running member through its storage folder, on its machine. A change needs a majority of the
old and of the new members, takes a little longer than a lease, and is finished by others if the
member that makes it crashes. Ctrl-C ends the waiting, not the change.

Start a new member first, with an empty folder: it waits to be added. A member that lost its folder
and cannot recover is removed, and then added again.

Examples:
  conclave members list --storage /var/lib/billing
  conclave members add d=10.0.0.4:7001 --storage /var/lib/billing
  conclave members add w=10.0.0.9:7001 --witness --storage /var/lib/billing
  conclave members remove b --storage /var/lib/billing`

/** Shows and changes who votes. */
export function membersCommand(io: Io, _leave: Leave): Verb {
  return new Verb('members')
    .description('show, add or remove the members of a running coordinator')
    .argument('<action>', 'list, add or remove')
    .argument('[members...]', 'for add: NAME=ADDRESS; for remove: names')
    .group('members')
    .requiredOption('--storage <folder>', 'storage folder of a running member, on this machine')
    .option('--witness', 'for add: they vote and never lead')
    .group('output')
    .option('--json', 'print the members as JSON')
    .about(EXAMPLES)
    .action(async (action: string, words: readonly string[], options: Options) => {
      if (!ACTIONS.includes(action))
        throw new UsageError(
          'conclave members',
          `${quoted(action)} is none of list, add and remove.`,
          'See conclave members --help.',
        ).withCandidates(action, ACTIONS)
      refuseWords(action, words, options)
      const { storage, witness, json } = options
      if (action === 'add') await change(storage, { add: added(words, witness === true) })
      if (action === 'remove') await change(storage, { remove: words })
      const status = (await controlRequest(storage, 'status')) as CoordinatorStatus
      const lines = json ? [JSON.stringify(membersJson(status))] : membersLines(status)
      io.out(`${lines.join('\n')}\n`)
    })
}

function refuseWords(action: string, words: readonly string[], { witness }: Options): void {
  const where = `conclave members ${action}`
  if (action === 'list' && words.length > 0)
    throw new UsageError(where, 'it takes no members.', 'Leave them out.')
  if (action !== 'list' && words.length === 0)
    throw new UsageError(
      where,
      'the members are missing.',
      `Write for example ${where} ${action === 'add' ? 'd=10.0.0.4:7001' : 'b'}.`,
    )
  if (action !== 'add' && witness)
    throw new UsageError('--witness', 'it is for add only.', 'Leave it out.')
}

function change(storage: string, given: Readonly<Record<string, unknown>>): Promise<unknown> {
  return controlRequest(storage, 'change', given)
}

function added(words: readonly string[], witness: boolean) {
  const kind = witness ? 'witness' : 'voter'
  return Object.fromEntries(
    words.map((word) => {
      const [, name, address] = /^([^=]+)=(.+)$/.exec(word) ?? []
      if (name === undefined)
        throw new UsageError(
          'conclave members add',
          `${quoted(word)} is not NAME=ADDRESS.`,
          'Write it like d=10.0.0.4:7001.',
        )
      // Where members meet by name, the running member knows it.
      if (address !== name) checkMemberAddress('conclave members add', address)
      return [name, { address, kind }]
    }),
  )
}

function membersJson({ configuration, members }: CoordinatorStatus) {
  const { term, number, next, witnesses } = configuration
  return {
    configuration: { term, number },
    changing: next !== null,
    members: members.map(({ id, address, reachable }) => ({
      id,
      address,
      kind: witnesses.includes(id) ? 'witness' : 'voter',
      reachable,
    })),
  }
}

function membersLines(status: CoordinatorStatus): string[] {
  const { members, changing, configuration } = membersJson(status)
  const rows = members.map(({ id, address, kind, reachable }) => [
    id,
    address ?? '-',
    kind,
    id === status.me ? 'this member' : reachable ? 'reachable' : 'unreachable',
  ])
  const advice = adviceOnSize(members.length)
  const version = `${configuration.term}.${configuration.number}`
  return [
    `${status.name}  configuration ${version}${changing ? ', a change is under way' : ''}`,
    '',
    ...columns([['member', 'address', 'kind', 'state'], ...rows]),
    ...(advice === null ? [] : ['', advice]),
  ]
}
