import { Command } from 'commander'
import { UsageError } from '../../../core/index.ts'
import { quoted } from '../../../core/text-format.ts'
import type { Io, Leave } from '../../io.ts'
import { columns, columnsWithin, widthOf } from '../../terminal/format.ts'
import { initAuthority, issueMembers, type WrittenCertificate } from './certificate-files.ts'

const EXAMPLES = `
A small authority for a start: whoever has its key, ca.key, can make members. Keep it away from
them. Each member needs ca.crt, and the .crt and .key of its own name. The name of a certificate is
that of its member; every other process is refused. Certificates that expire are issued again with
--renew.

Examples:
  conclave certs init --cluster billing
  conclave certs issue a b c
  conclave certs issue a --renew --days 90
  conclave coordinator --config billing.json --me a --storage a --tls certs`

const FOLDER = 'certs'

interface Options {
  readonly folder: string
  readonly cluster?: string
  readonly days?: string
  readonly address?: string
  readonly renew?: true
  readonly json?: true
}

export function certsCommand(io: Io, _leave: Leave): Command {
  return new Command('certs')
    .description('make certificates for the members of a coordinator')
    .argument('<action>', 'init: make an authority; issue: make certificates of members')
    .argument('[names...]', 'the names of the members, for issue')
    .option('--folder <folder>', 'where the files are', FOLDER)
    .option('--cluster <name>', 'the name of the cluster, for init (default: conclave)')
    .option('--days <number>', 'how long they are valid (default: init 3650, issue 365)')
    .option('--address <list>', 'IP addresses to put in too, for other programs')
    .option('--renew', 'replace certificates that exist')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action((action: string, names: readonly string[], options: Options) => {
      if (action === 'init') init(io, names, options)
      else if (action === 'issue') issue(io, names, options)
      else {
        throw new UsageError(
          'conclave certs',
          `${quoted(action)} is neither init nor issue.`,
          'See conclave certs --help.',
        ).withCandidates(action, ['init', 'issue'])
      }
    })
}

function init(io: Io, names: readonly string[], options: Options): void {
  const { folder, cluster = 'conclave', days = '3650', json } = options
  if (names.length > 0) {
    throw new UsageError(
      'conclave certs init',
      'it takes no names.',
      'Members get theirs by conclave certs issue.',
    )
  }
  refuseFlags('init', options, ['address', 'renew'])
  const written = initAuthority(folder, cluster, wholeNumber(days))
  const lines = [
    [written.cert, `the authority, valid until ${written.until}: each member needs it`],
    [written.key, 'its key: whoever has it can make members'],
  ]
  report(io, [written], json, [
    ...columnsWithin(lines, widthOf(io) - 2),
    '',
    'Go on with:',
    `conclave certs issue a b c${folder === FOLDER ? '' : ` --folder ${folder}`}`,
  ])
}

function issue(io: Io, names: readonly string[], options: Options): void {
  const { folder, days = '365', address, renew, json } = options
  if (names.length === 0) {
    throw new UsageError(
      'conclave certs issue',
      'the names of the members are missing.',
      'Write for example conclave certs issue a b c.',
    )
  }
  refuseFlags('issue', options, ['cluster'])
  const addresses = address === undefined ? [] : address.split(',').map((part) => part.trim())
  const written = issueMembers(folder, [...new Set(names)], {
    days: wholeNumber(days),
    addresses,
    renew: renew === true,
  })
  const rows = written.map(({ cert, key, until }) => [cert, key, `valid until ${until}`])
  report(io, written, json, columns(rows))
}

function report(
  io: Io,
  certificates: readonly WrittenCertificate[],
  json: true | undefined,
  lines: readonly string[],
): void {
  if (json) io.out(`${JSON.stringify({ certificates })}\n`)
  else
    io.out(lines.map((line) => (line === '' || line.endsWith(':') ? line : `  ${line}`)).join('\n'))
  if (!json) io.out('\n')
}

function refuseFlags(action: string, options: Options, names: readonly (keyof Options)[]): void {
  const flag = names.find((name) => options[name] !== undefined)
  if (flag === undefined) return
  throw new UsageError(`--${flag}`, `certs ${action} does not take it.`, 'Leave it out.')
}

function wholeNumber(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
}
