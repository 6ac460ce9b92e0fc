import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS, commandNamed } from '../../../src/cli/main.ts'
import { expectUsageError } from '../../support/run-command.ts'

/** A command line (DIR is a folder), the place, and a part of the message. */
type Case = readonly [line: string, where: string, says: string]

/** Commands that write files, each with the flag, and what its files end in; '' for a folder. */
const WRITERS: readonly [line: string, flag: string, ending: string][] = [
  ['run lcr -n 3', '--svg', 'svg'],
  ['run lcr -n 3', '--trace', 'jsonl'],
  ['run gossip-average -n 3 --until 2', '--svg', 'svg'],
  ['run gossip-average -n 3 --until 2', '--trace', 'jsonl'],
  ['check lcr -n 2', '--svg', 'svg'],
  ['check lcr -n 2', '--trace', 'jsonl'],
  ['prove lcr', '--svg', 'svg'],
  ['prove lcr', '--trace', 'jsonl'],
  ['grade DIR/mine.js', '--csv', 'csv'],
  ['grade DIR/mine.js', '--html', 'html'],
  ['grade DIR/mine.js', '--feedback', ''],
  ['experiment lcr --sweep n=2,3', '--out', ''],
]

/** Flags that name files which are read, or folders of members, which tests of those try. */
const READING = [
  ...['--replay', '--creds', '--nkey', '--tlsca', '--tlscert', '--tlskey', '--points', '--config'],
  ...['--secret-file', '--value-file', '--tls', '--storage'],
]
/** Written, too: the page of the lab, which takes long, and keys, whose folder is the place. */
const OTHER_WRITERS = ['--export', '--folder']

/** Places where nothing can be written, with what is said. */
const PLACES: readonly [file: string, folder: string | null, says: string][] = [
  ['/proc/x', '/proc/x', 'nothing can be created in /proc'],
  ['/proc/x/y/z', '/proc/x/y/z', 'does not exist'],
  ['/dev/null/x', '/dev/null/x', 'not a folder'],
  ['DIR/good.json/x', 'DIR/good.json/x', 'not a folder'],
  ['DIR/nowhere/x', null, 'DIR/nowhere does not exist'],
  ['DIR/inner', 'DIR/good.json', 'folder'],
]

const UNWRITABLE: Case[] = [
  ...WRITERS.flatMap(([line, flag, ending]) =>
    PLACES.flatMap(([file, folder, says]): Case[] => {
      const place = ending === '' ? folder : file
      return place === null ? [] : [[`${line} ${flag} ${place}`, flag, says]]
    }),
  ),
  ...WRITERS.filter(([, , ending]) => ending !== '').flatMap(([line, flag, ending]) =>
    ['gif', 'png', 'pdf', 'docx', 'svg', 'html', 'csv', 'jsonl']
      .filter((other) => other !== ending)
      .map((other): Case => [`${line} ${flag} DIR/x.${other}`, flag, `Write DIR/x.${ending}.`]),
  ),
  ['new /proc/mine', 'conclave new', 'nothing can be created in /proc'],
  ['new DIR/good.json/mine', 'conclave new', 'not a folder'],
  ['lab --export /proc/x.html', '--export', 'nothing can be created in /proc'],
]

/** Names that every object has: they are unknown names like any other. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

const PROTOTYPES: Case[] = INHERITED.flatMap((key): Case[] => [
  [`run ${key}`, 'algorithm', `there is no algorithm "${key}"`],
  [`explain ${key}`, 'algorithm', `there is no algorithm "${key}"`],
  [`new DIR/zz --like ${key}`, '--like', `there is no algorithm "${key}"`],
  [key, 'conclave', `unknown command "${key}"`],
  [`help ${key}`, 'conclave', `unknown command "${key}"`],
  [`run lcr --${key} 3`, 'conclave run', `unknown option --${key}`],
  [`run bully --set ${key}=1`, '--set', `no parameter "${key}"`],
  [`run gossip-average -n 3 --set ${key}=1`, '--set', `no parameter "${key}"`],
  [`check lcr -n 2 --bound ${key}=1`, '--bound', `no state field ${key}`],
  [`run lcr --role a=${key}`, '--role', `there is no algorithm "${key}"`],
  [`run lcr -t ${key}:8`, '--topology', `there is no network "${key}"`],
  [`run lcr --delay ${key}:1`, '--delay', `got "${key}:1"`],
  [`list --topology ${key}`, '--topology', 'there is no network'],
  [`list --model ${key}`, '--model', 'there is no timing'],
  [`experiment lcr --sweep ${key}=1,2`, '--sweep', `there is no field "${key}"`],
  [`experiment lcr --sweep n=2,4 --measure ${key}`, '--measure', `no measure "${key}"`],
  [`experiment lcr --sweep n=2,4 --measure n/${key}`, '--measure', `no measure "n/${key}"`],
  [`experiment lcr --sweep n=2,4,8 --fit ${key}~n`, '--fit', `no measure "${key}"`],
  ...['run', 'check', 'cluster'].flatMap((verb): Case[] => [
    [`${verb} DIR/${key}-number.json`, `DIR/${key}-number.json: ${key}`, `no field "${key}"`],
    [`${verb} DIR/${key}-object.json`, `DIR/${key}-object.json: ${key}`, `no field "${key}"`],
    [`${verb} DIR/${key}-name.json`, `DIR/${key}-name.json: algorithm`, `no algorithm "${key}"`],
    [`${verb} DIR/${key}-set.json`, `DIR/${key}-set.json: set`, `no parameter "${key}"`],
  ]),
  [`experiment DIR/${key}-study.json`, `DIR/${key}-study.json: ${key}`, `no field "${key}"`],
  [`experiment DIR/${key}-base.json`, `DIR/${key}-base.json: base.${key}`, `no field "${key}"`],
  [`experiment DIR/${key}-sweep.json`, `DIR/${key}-sweep.json: sweep`, `no field "${key}"`],
])

/** Documents with such a name, as texts: in a literal `__proto__` is no field. */
function filesWith(key: string): Readonly<Record<string, string>> {
  return {
    number: `{"algorithm": "lcr", "${key}": 3}`,
    object: `{"algorithm": "lcr", "${key}": {"x": 3}}`,
    name: `{"algorithm": "${key}"}`,
    set: `{"algorithm": "bully", "n": 3, "set": {"${key}": 1}}`,
    study: `{"base": {"algorithm": "lcr"}, "sweep": {"n": "2..4"}, "${key}": 1}`,
    base: `{"base": {"algorithm": "lcr", "${key}": 1}, "sweep": {"n": "2..4"}}`,
    sweep: `{"base": {"algorithm": "lcr"}, "sweep": {"n": "2..4", "${key}": "1..2"}}`,
  }
}

it('every flag that names a file or a folder is known to be read, or tried below', async () => {
  const silent = { out: () => {}, err: () => {}, colours: false, progress: false }
  const tried = [...WRITERS.map(([, flag]) => flag), ...OTHER_WRITERS, ...READING]
  for (const name of Object.keys(COMMANDS)) {
    const { options } = await commandNamed(name, silent, () => {})
    const files = options.filter(({ flags }) => /<(file|folder|path)>/.test(flags))
    for (const { long } of files) expect(tried, `${name} ${long}`).toContain(long)
  }
})

describe('one line, and nothing is written:', () => {
  let folder = ''
  const placed = (text: string) => text.replaceAll('DIR', folder)

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'conclave-'))
    mkdirSync(join(folder, 'inner'))
    writeFileSync(join(folder, 'good.json'), '{"algorithm": "lcr", "n": 3}')
    writeFileSync(join(folder, 'mine.js'), 'export default 1')
    for (const key of INHERITED)
      for (const [name, text] of Object.entries(filesWith(key)))
        writeFileSync(join(folder, `${key}-${name}.json`), text)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([...UNWRITABLE, ...PROTOTYPES])('%s', async (line, where, says) => {
    const before = readdirSync(folder)
    await expectUsageError(placed(line).split(' '), placed(where), placed(says))
    expect(readdirSync(folder)).toEqual(before)
  })
})
