import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAM } from '../../support/built-program.ts'
import { expectUsageError, USAGE_ERROR } from '../../support/run-command.ts'

/** A command line ('' is an empty word, DIR a folder), the place, and a part of the message. */
type Case = readonly [line: string, where: string, says: string]

/** An event with so many brackets that a recursive reader would overflow the stack. */
const DEEP = `{"event": "x", "at": 1, "more": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`

const FILES: Readonly<Record<string, string>> = {
  'truncated.json': '{"algorithm": "lcr", "ids": [3, 2',
  'empty.json': '',
  'array.json': '[{"algorithm": "lcr"}]',
  'null.json': 'null',
  'good.json': '{"algorithm": "lcr", "n": 3}',
  'nameless.json': '{"n": 3}',
  'number.json': '{"algorithm": 5}',
  'misspelt.json': '{"algorithm": "petersen"}',
  'unknown.json': '{"algorithm": "lcr", "idz": "1,2"}',
  'list.json': '{"algorithm": "lcr", "n": [3]}',
  'delay.json': '{"algorithm": "lcr", "delay": 5}',
  'letters.json': '{"algorithm": "lcr", "ids": [1, "a"]}',
  'twins.json': '{"algorithm": "lcr", "ids": [4, 2, 4]}',
  'fraction.json': '{"algorithm": "lcr", "seed": 1.5}',
  'maybe.json': '{"algorithm": "lcr", "allow-weaker": "yes"}',
  'missing.json': '{"algorithm": "lcr", "topology": null}',
  'network.json': '{"algorithm": "lcr", "topology": "ring"}',
  'links.txt': '0-1\n1-x\n',
  'deep.json': `{"algorithm": ${'['.repeat(200_000)}`,
  'deep.jsonl': `{"event": "scenario", "scenario": {"algorithm": "lcr"}}\n${DEEP}`,
}

const SIZES: Case[] = [
  ['run lcr -n 0', '-n', 'from 1 to'],
  ['run lcr -n -1', '-n', '"-1"'],
  ['run lcr -n 1.5', '-n', '"1.5"'],
  ['run lcr -n abc', '-n', '"abc"'],
  ['run lcr -n 1e3', '-n', '"1e3"'],
  ["run lcr -n ''", '-n', '""'],
  ['run lcr -n 99999999999999999999', '-n', 'from 1 to'],
  ['run lcr -n 134217729', '-n', 'from 1 to 134,217,728'],
  ['run lcr -t ring:134217729', '--topology', 'from 1 to 134,217,728'],
  ['run bully -t complete:1 -n 3', '-n', 'complete:1 has 1 node, but 3 was given'],
  ['run lcr -n 3 -t ring:4', '-n', 'ring:4 has 4 nodes, but 3 was given'],
  ['run lcr -n 4 --ids 1,2,3', '--ids', 'ring:4 has 4 nodes, but 3 ids were given'],
  ['run lcr -t ring:4 --ids 7', '--ids', '1 id was given'],
]

const IDS: Case[] = [
  ['run lcr --ids 1,1,2', '--ids', '1 is listed twice'],
  ['run lcr --ids -1,2', '--ids', '"-1,2"'],
  ['run lcr --ids 1.5,2', '--ids', '"1.5,2"'],
  ['run lcr --ids 1,,2', '--ids', '"1,,2"'],
  ["run lcr --ids ''", '--ids', '""'],
  ['run lcr --ids 9007199254740992,2', '--ids', 'an id from 0 to 2^53 - 1'],
  ['run lcr --ids 9007199254740993,2', '--ids', 'an id from 0 to 2^53 - 1'],
  ['run lcr --ids descending', '--ids', 'increasing, decreasing, bit-reversal, random, same'],
  ['run lcr --ids bit-reversal -n 6', '--ids', 'power of two'],
  ['run slow-fast --ids 60,70,80', '--ids', '2^53'],
  ['run time-slice --ids 9007199254740990,9007199254740991', '--ids', 'round 2^53'],
]

const NETWORKS: Case[] = [
  ['run tree -t ring:5', '--topology', 'not ring:5, which has a cycle'],
  ['run tree-coin -t complete:3', '--topology', 'Use tree:3:2, or add --allow-weaker'],
  ['run hyper-elect -n 6', '-n', 'a power of two, not 6. Use 4 or 8 nodes'],
  ['run hyper-elect --ids 1,2,3', '--ids', 'a power of two, not 3. Use 2 or 4 nodes'],
  ['run hyper-elect -t edges:0-1', '--topology', 'whose link numbers are not coordinates'],
  ['run hyper-elect -t ring:5 --allow-weaker', '--topology', 'Use hypercube:3'],
  ['check hyper-elect -t grid:2x4', '--topology', 'Use hypercube:3'],
  ['cluster lcr -t grid:3x3', '--topology', 'Use ring:9.'],
  ['run leased:tree -n 3', 'leased:tree', 'it needs a tree, and voters are a complete network'],
  ['run lcr -t grid:3x3', '--topology', 'Use ring:9.'],
  ['run lcr -t complete:8', '--topology', 'lcr needs a ring network'],
  ['run lcr -t edges:0-1,1-2,2-0', '--topology', 'Use ring:3.'],
  ['run lcr -t ring', '--topology', 'ring:n'],
  ['run lcr -t ring:', '--topology', 'ring:n'],
  ['run lcr -t ring:0', '--topology', '"0"'],
  ['run lcr -t ring:8:9', '--topology', '"ring:8:9"'],
  ['run lcr -t rnig:8', '--topology', '"rnig"'],
  ["run lcr -t ''", '--topology', '""'],
  ['run lcr -t edges:0-0', '--topology', '"0-0"'],
  ['run lcr -t edges:0-2', '--topology', 'position 1 has no link'],
  ['run lcr -t file:DIR/none.txt', '--topology', 'does not exist'],
  ['run lcr -t file:DIR', '--topology', 'is a folder'],
  ['run lcr -t file:DIR/links.txt', '--topology', 'line 2 of'],
  ['run DIR/network.json', 'DIR/network.json: topology', 'ring:n'],
]

const TIMES: Case[] = [
  ['run lcr --wake 99', '--wake', 'from 0 to 7'],
  ['run lcr --wake 1,1', '--wake', 'position 1 is listed twice'],
  ['run lcr --wake -1', '--wake', '"-1"'],
  ['run lcr --wake some', '--wake', 'rate:0.8'],
  ["run lcr --wake ''", '--wake', '""'],
  ['run lcr --wake rate:2', '--wake', 'a rate from 0 to 1'],
  ['run lcr --wake rate:-0.1', '--wake', 'a rate from 0 to 1'],
  ['run lcr --wake rate:often', '--wake', '"often"'],
  ['run lcr --wake 0@0 --timing sync', '--wake', 'a round from 1'],
  ['run lcr --wake 0@1.5 --timing sync', '--wake', 'a round from 1'],
  ['run lcr --wake 0@-1', '--wake', 'a time from 0 to 2^53 - 1'],
  ['run lcr --wake 0@', '--wake', '""'],
  ['run lcr --wake 0@1@2', '--wake', '"0@1@2"'],
  ['run lcr --crash 99', '--crash', 'from 0 to 7'],
  ['run lcr --crash x', '--crash', '"x"'],
  ['run lcr --crash 0.5', '--crash', 'A share has a percent sign or a decimal point'],
  ['run lcr --crash 1.5@3', '--crash', 'a share from 0 to 1'],
  ['run lcr --crash 7,7', '--crash', 'position 7 crashes twice'],
  ['run lcr --crash 3@never', '--crash', '"3@never"'],
  ['run lcr --crash 3@0 --timing sync', '--crash', 'a round from 1'],
  ['run lcr --until 0', '--until', 'a time above 0'],
  ['run lcr --until soon', '--until', '"soon"'],
  ['run lcr --until 2.5 --timing sync', '--until', 'a round from 1'],
  ['run lcr --max-messages 0', '--max-messages', 'such as 10000000'],
  ['run lcr --seed -1', '--seed', 'from 0'],
  ['run lcr --seed 1.5', '--seed', '"1.5"'],
]

const MODELS: Case[] = [
  ['run lcr --delay 0', '--delay', 'exponential:MEAN'],
  ['run lcr --delay slow', '--delay', '"slow"'],
  ['run lcr --delay constant:0', '--delay', 'a delay above 0'],
  ['run lcr --delay constant', '--delay', '"constant"'],
  ['run lcr --delay exponential:-1', '--delay', 'a delay above 0'],
  ['run lcr --delay uniform:10:1', '--delay', 'Write uniform:1:10.'],
  ['run lcr --delay uniform:0:3', '--delay', 'a delay from 1'],
  ['run lcr --delay uniform:1.5:3', '--delay', '"1.5"'],
  ['run lcr --delay uniform:1', '--delay', '"uniform:1"'],
  ['run lcr --delay unit --timing sync', '--delay', 'set --timing to async'],
  ['run lcr --order any --timing sync', '--order', 'set --timing to async'],
  ['run lcr --order lifo', '--order', 'one of fifo, any'],
  ['run peterson --order any', '--order', 'add --allow-weaker'],
  ['run franklin --order any', '--order', 'add --allow-weaker'],
  ['run lcr --timing cycles', '--timing', 'one of sync, async'],
  ['run lcr --timing nonsense', '--timing', '"nonsense"'],
  ['run time-slice --timing async', '--timing', 'add --allow-weaker'],
  ['run slow-fast --timing async', '--timing', 'add --allow-weaker'],
  ['run time-slice --wake 0', '--wake', 'add --allow-weaker'],
  ['run time-slice -n 2 --wake 0@1,1@2', '--wake', 'add --allow-weaker'],
  ['run time-slice -n 2 --wake 0@2,1@2', '--wake', 'add --allow-weaker'],
  ['run lcr --set x=1', '--set', 'lcr has no parameter "x"'],
]

const NAMES: Case[] = [
  ['run lrc', 'algorithm', 'Did you mean lcr?'],
  ['run hirshberg', 'algorithm', 'Did you mean hirschberg-sinclair?'],
  ['explain petersen', 'algorithm', 'Did you mean peterson?'],
  ['run xyzzyplugh', 'algorithm', 'The algorithms are afek-gafni, alternating-steps'],
  ["run ''", 'algorithm', '""'],
  ['run', 'conclave run', '<algorithm|file...> is missing'],
  ['explain', 'conclave explain', '<algorithm> is missing'],
  ['explain lcr peterson', 'conclave explain', 'takes 1 argument; 2 were given'],
  ['run lcr peterson', 'run', 'lcr and peterson cannot be combined'],
  ['run lcr DIR/good.json', 'run', 'Run one algorithm at a time.'],
  ['run lcr --frobnicate', 'conclave run', 'unknown option --frobnicate'],
  ['run lcr --seeed 3', 'conclave run', 'Did you mean --seed?'],
  ['run lcr -n', 'conclave run', '-n needs a value'],
  ['run lcr --ids -n 3', 'conclave run', '--ids needs a value'],
  ['check lcr --worst -n 3', 'conclave check', '--worst needs a value (messages or time)'],
  ['help rnu', 'conclave', 'Did you mean run?'],
  ['run bully --set patience', '--set', 'patience has no value. Write patience=2.'],
  ['run bully --set foo=1', '--set', 'Its only parameter is patience.'],
  ['run lcr --elect-by hight', '--elect-by', 'Choose one of them'],
  ['experiment lcr --sweep n=2,4 --sweep n=3', '--sweep', 'Join the values: n=2,4,3.'],
  ['experiment lcr -n 5 --sweep n=2,4', '--sweep', 'n is both swept and given one value'],
  ['experiment lcr --sweep n=2,4 --x m', '--x', 'only n is swept, not "m"'],
  ['experiment lcr --sweep m=2,4', '--sweep', 'there is no field "m"'],
  ['node --algorithm lcr --ring 127.0.0.1:7001 --me 1', '--me', 'there is one process'],
  ['frobnicate', 'conclave', 'unknown command "frobnicate"'],
  ['rnu lcr', 'conclave', 'Did you mean run?'],
  ['--frobnicate', 'conclave', 'unknown option --frobnicate'],
  ['list --topology cubes', '--topology', 'cubes'],
  ['node --algorithm lcr --me 0 again', 'conclave node', 'takes no arguments.'],
]

const DOCUMENTS: Case[] = [
  ['run DIR/none.json', 'DIR/none.json', 'does not exist'],
  ['run DIR', 'DIR', 'is a folder'],
  ['run DIR/good.json/lcr', 'DIR/good.json/lcr', 'not a folder'],
  ['run DIR/deep.json', 'DIR/deep.json:1:514', 'more than 500 brackets are open'],
  ['run --replay DIR/deep.jsonl', 'DIR/deep.jsonl, line 2', 'more than 500 brackets are open'],
  ['run lcr -t file:/dev/zero', '--topology', '/dev/zero cannot be read: it is a device'],
  ['run lcr --replay /dev/zero', '--replay', '/dev/zero cannot be read: it is a device'],
  ['run DIR/truncated.json', 'DIR/truncated.json:1:34', 'not valid JSON'],
  ['run DIR/empty.json', 'DIR/empty.json', 'the file is empty'],
  ['run DIR/array.json', 'DIR/array.json', 'got an array'],
  ['run DIR/null.json', 'DIR/null.json', 'got null'],
  ['run DIR/nameless.json', 'DIR/nameless.json: algorithm', 'the field is missing'],
  ['run DIR/number.json', 'DIR/number.json: algorithm', '5'],
  ['run DIR/misspelt.json', 'DIR/misspelt.json: algorithm', 'Did you mean peterson?'],
  ['run DIR/unknown.json', 'DIR/unknown.json: idz', 'Did you mean ids?'],
  ['run DIR/list.json', 'DIR/list.json: n', '[3]'],
  ['run DIR/delay.json', 'DIR/delay.json: delay', 'expected a text'],
  ['run DIR/letters.json', 'DIR/letters.json: ids', '[1,"a"]'],
  ['run DIR/twins.json', 'DIR/twins.json: ids', '4 is listed twice'],
  ['run DIR/fraction.json', 'DIR/fraction.json: seed', '1.5'],
  ['run DIR/maybe.json', 'DIR/maybe.json: allow-weaker', 'true or false'],
  ['run DIR/missing.json', 'DIR/missing.json: topology', 'null is not a value'],
  ['run DIR/good.json -n 0', '-n', '"0"'],
  ['run DIR/good.json DIR/twins.json --json', 'DIR/twins.json: ids', '4 is listed twice'],
]

const OUTPUTS: Case[] = [
  ['run lcr --trace DIR', '--trace', 'is a folder'],
  ['run lcr --trace DIR/nowhere/run.jsonl', '--trace', 'DIR/nowhere does not exist'],
  ['run lcr --trace DIR/good.json/run.jsonl', '--trace', 'not a folder'],
  ["run lcr --trace ''", '--trace', 'the name of a file'],
  ['run lcr --trace - --json', '--trace', 'leave --json out'],
  ['run lcr --svg DIR', '--svg', 'is a folder'],
  ['run lcr --svg DIR/nowhere/run.svg', '--svg', 'DIR/nowhere does not exist'],
  ['run lcr --svg -', '--svg', 'the name of a file'],
  ['run lcr --trace DIR/run.jsonl --svg DIR/nowhere/run.svg', '--svg', 'does not exist'],
  ['run DIR/good.json DIR/good.json --svg DIR/run.svg', '--svg', '2 files were given'],
  ['run DIR/good.json DIR/good.json --trace DIR/run.jsonl', '--trace', '2 files were given'],
  ['check lcr -n 2 --svg DIR', '--svg', 'is a folder'],
  ['check lcr -n 2 --trace DIR/nowhere/steps.jsonl', '--trace', 'does not exist'],
]

const CHECKS: Case[] = [
  ['check', 'conclave check', '<algorithm> is missing'],
  ['check lrc', 'algorithm', 'Did you mean lcr?'],
  ['check lcr -n 0', '-n', '"0"'],
  ['check lcr --mode nonsense', '--mode', 'untimed, patient or clocked:D'],
  ['check lcr --mode clocked', '--mode', '"clocked"'],
  ['check lcr --mode clocked:0', '--mode', 'the D of clocked:D'],
  ['check lcr --states 0', '--states', 'from 1'],
  ['check lcr --memory none', '--memory', '"none"'],
  ['check lcr --seconds 0', '--seconds', 'seconds above 0'],
  ['check lcr -n 3 --bound laps=3', '--bound', 'no state field laps'],
  ['check lcr -n 3 --links lossy --losses 1', '--links', 'without limit'],
  ['check lcr -n 3 --links lossy --mode clocked:1', '--links', 'Use mode untimed.'],
  ['check lcr --delay unit', 'conclave check', 'unknown option --delay'],
  ['check lcr --wake 0@3', '--wake', 'Leave the times out.'],
  ['check lcr --wake 99', '--wake', 'from 0 to 3'],
  ['check peterson --order any', '--order', 'add --allow-weaker'],
  ['check time-slice --mode untimed', '--mode', 'add --allow-weaker'],
  ['check time-slice --wake 0', '--wake', 'add --allow-weaker'],
]

const TWO = '127.0.0.1:7001,127.0.0.1:7002'

const PROCESSES: Case[] = [
  ['experiment lcr --user me', '--user', 'for --on only'],
  ['check lcr -n 3 --creds DIR/none', '--creds', 'for --on only'],
  ['grade DIR/none.ts --tlsca DIR/none', '--tlsca', 'for --on only'],
  ['cluster lcr -n 3 --nkey DIR/none', '--nkey', 'for --nats only'],
  ['run quorum-lease -n 3 --set lease=0', 'lease', 'leaves a leader no time'],
  ['node', 'conclave node', '--algorithm <name> is required'],
  [`node --algorithm lcr --ring ${TWO}`, 'conclave node', '--me <position> is required'],
  [`node --algorithm lrc --ring ${TWO} --me 0`, '--algorithm', 'Did you mean lcr?'],
  ['node --algorithm lcr --ring nonsense --me 0', '--ring', '"nonsense"'],
  ['node --algorithm lcr --ring 127.0.0.1:99999 --me 0', '--ring', '65535'],
  ['node --algorithm lcr --ring a:7001,a:7001 --me 0', '--ring', 'a:7001 is given twice'],
  [`node --algorithm lcr --ring ${TWO} --me 2`, '--me', 'from 0 to 1'],
  [`node --algorithm lcr --ring ${TWO} --me -1`, '--me', '"-1"'],
  [`node --algorithm lcr --ring ${TWO} --me 0 -n 3`, '-n', 'ring:2 has 2 nodes'],
  [`node --algorithm lcr --ring ${TWO} --me 0 --ids 1,2,3`, '--ids', '3 ids were given'],
  [`node --algorithm lcr --ring ${TWO} --me 0 --patience 0`, '--patience', 'seconds above 0'],
  [`node --algorithm lcr --ring ${TWO} --me 0 --wake 0@4`, '--wake', 'Leave the times out.'],
  [`node --algorithm time-slice --ring ${TWO} --me 0`, 'algorithm', 'synchronous rounds'],
  ['node --algorithm lcr --ring - --me 0', '-n', 'got nothing'],
  ['cluster', 'conclave cluster', '<algorithm> is missing'],
  ['cluster lrc', 'algorithm', 'Did you mean lcr?'],
  ['cluster lcr -n 0', '-n', 'from 1 to 200'],
  ['cluster lcr -n 201', '-n', 'from 1 to 200'],
  ['cluster lcr -n 3 --wake 9', '--wake', 'from 0 to 2'],
  ['cluster lcr -n 3 --wake 0@5', '--wake', 'Leave the times out.'],
  ['cluster time-slice -n 3', 'algorithm', 'conclave run time-slice'],
  ['cluster slow-fast -n 3', 'algorithm', 'conclave run slow-fast'],
]

const TABLE = [
  ...[...SIZES, ...IDS, ...NETWORKS, ...TIMES, ...MODELS],
  ...[...NAMES, ...DOCUMENTS, ...OUTPUTS, ...CHECKS, ...PROCESSES],
]

describe('an invalid command line is answered with one line that helps', () => {
  let folder = ''
  const placed = (text: string) => text.replaceAll('DIR', folder)
  const wordsOf = (line: string) => line.split(' ').map((word) => placed(word === "''" ? '' : word))

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'conclave-'))
    mkdirSync(join(folder, 'inner'))
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it('has at least sixty cases, none of them twice', () => {
    expect(new Set(TABLE.map(([line]) => line)).size).toBe(TABLE.length)
    expect(TABLE.length).toBeGreaterThanOrEqual(60)
  })

  it.each(TABLE)('%s', async (line, where, says) => {
    const before = readdirSync(folder)
    await expectUsageError(wordsOf(line), placed(where), placed(says))
    expect(readdirSync(folder)).toEqual(before)
    expect(existsSync('-')).toBe(false)
  })

  it.each(['run lcr -n 0', 'run DIR/truncated.json', 'cluster time-slice -n 3', 'node'])(
    'as a process: %s',
    (line) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...wordsOf(line)], {
        encoding: 'utf8',
        timeout: 30_000,
      })
      expect(stderr).toMatch(USAGE_ERROR)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    },
  )

  it('a process that reads invalid addresses ends', () => {
    const words = wordsOf('node --algorithm lcr --ring - --me 0 -n 2 --json')
    for (const input of ['', 'nonsense\n', '["a"]\n', '["a","b"]\n']) {
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
        encoding: 'utf8',
        input,
        timeout: 30_000,
      })
      expect(stderr).toMatch(USAGE_ERROR)
      expect(status).toBe(2)
    }
  })
})
