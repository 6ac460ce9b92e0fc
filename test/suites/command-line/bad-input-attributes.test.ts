import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectUsageError } from '../../support/run-command.ts'

/** A command line ('' is an empty word, DIR a folder), the place, and a part of the message. */
type Case = readonly [line: string, where: string, says: string]

const FILES: Readonly<Record<string, string>> = {
  'values.json': '{"algorithm": "lcr", "values": [1, "x"]}',
  'number.json': '{"algorithm": "lcr", "values": 5}',
  'few.json': '{"algorithm": "lcr", "n": 3, "values": [1, 2]}',
  'by.json': '{"algorithm": "lcr", "elect-by": ["id"]}',
  'role.json': '{"algorithm": "lcr", "role": [{"algorithm": "lcr"}]}',
  'stranger.json': '{"algorithm": "lcr", "role": [{"name": "a", "seed": 3}]}',
  'none.json': '{"algorithm": "lcr", "role": []}',
  'misspelt.json': '{"algorithm": "lcr", "role": [{"name": "a", "algorithm": "petersen"}]}',
  'coins.json': '{"algorithm": "itai-rodeh", "n": 4, "coins": {"0": 9}}',
  'two.json': '{"algorithm": "lcr", "n": 3, "role": ["a", "b"]}',
}

const VALUES: Case[] = [
  ["run lcr --values ''", '--values', '""'],
  ['run lcr --values 1,x', '--values', '"x"'],
  ['run lcr --values 1,,2', '--values', '""'],
  ['run lcr --values 1e999', '--values', '"1e999"'],
  ['run lcr --values random', '--values', 'uniform:A:B, index, peak'],
  ['run lcr --values uniform', '--values', '"uniform"'],
  ['run lcr --values uniform:1', '--values', '"uniform:1"'],
  ['run lcr --values uniform:2:1', '--values', 'the smaller end comes first'],
  ['run lcr --values uniform:a:b', '--values', '"a"'],
  ['run lcr --values 1,2,3;0@20=7', '--values', 'cannot change'],
  ['run lcr --values index;drift:0.1', '--values', 'cannot change'],
  ['run lcr -n 4 --values 1,2,3', '--values', 'ring:4 has 4 nodes, but 3 values were given'],
  ['run lcr -t ring:4 --values 7', '--values', '1 value was given'],
  ['run lcr --ids 1,2,3 --values 1,2', '--values', 'ring:3 has 3 nodes, but 2 values were'],
  ['run lcr --ids same --values index', '--values', 'all ids are equal'],
  ['run time-slice --values index', '--values', 'time-slice computes with ids'],
  ['run slow-fast -n 3 --values 1,2,3', '--values', 'slow-fast computes with ids'],
  ['run itai-rodeh --values index', '--values', 'itai-rodeh uses no ids'],
  ['run DIR/values.json', 'DIR/values.json: values', '"x"'],
  ['run DIR/number.json', 'DIR/number.json: values', '5'],
  ['run DIR/few.json', 'DIR/few.json: values', '2 values were given'],
]

const COINS: Case[] = [
  ["run itai-rodeh --coins ''", '--coins', '0:2,5;1:7'],
  ['run itai-rodeh --coins 3', '--coins', '"3"'],
  ['run itai-rodeh --coins 0:', '--coins', '"0:"'],
  ['run itai-rodeh --coins 0:1,,2', '--coins', '"0:1,,2"'],
  ['run itai-rodeh --coins 0:x', '--coins', '"x"'],
  ['run itai-rodeh --coins 0:-1', '--coins', '"-1"'],
  ['run itai-rodeh --coins 0:1.5', '--coins', '"1.5"'],
  ['run itai-rodeh --coins 0:1:2', '--coins', '"0:1:2"'],
  ['run itai-rodeh --coins 0:1;0:2', '--coins', 'position 0 is listed twice'],
  ['run itai-rodeh -n 4 --coins 4:1', '--coins', 'a position from 0 to 3'],
  ['run itai-rodeh -n 4 --coins 0:4', '--coins', 'choice 1 of position 0 is scripted as 4'],
  ['run lcr --coins 0:1', '--coins', 'lcr makes no random choices'],
  ['run gossip-average -n 3 --coins 1:2', '--coins', '0 to 1 (k = 2)'],
  ['run gossip-average -n 3 --timing cycles --coins 1:1', '--coins', 'in cycles has no field'],
  ['run DIR/coins.json', 'DIR/coins.json: coins', 'choice 1 of position 0 is scripted as 9'],
]

const ATTRIBUTES: Case[] = [
  ['run lcr --elect-by value', '--elect-by', 'for example uniform:0:1.'],
  ['run lcr --elect-by value:min', '--elect-by', 'without values'],
  ['run lcr --elect-by value:max --values index', '--elect-by', '"value:max"'],
  ['run lcr --elect-by size', '--elect-by', '"size"'],
  ["run lcr --elect-by ''", '--elect-by', '""'],
  ['run lcr --elect-by near', '--elect-by', '"near"'],
  ['run lcr --elect-by near:1', '--elect-by', '"near:1"'],
  ['run lcr --elect-by near:1:b', '--elect-by', '"near:1:b"'],
  ['run lcr --elect-by near:1.2.3:0', '--elect-by', '"near:1.2.3:0"'],
  ['run lcr --elect-by near:0.5:0.5', '--elect-by', 'the nodes of ring:8'],
  ['run lcr --ids same --elect-by degree', '--elect-by', 'all ids are equal'],
  ['run time-slice --elect-by degree', '--elect-by', 'time-slice computes with ids'],
  ['run itai-rodeh --elect-by degree', '--elect-by', 'itai-rodeh uses no ids'],
  ['run singh --elect-by degree', '--elect-by', 'such as bully'],
  ['run afek-gafni --values index', '--values', 'afek-gafni need not be the best'],
  ['run tree-aggregate --elect-by value', '--elect-by', 'such as wireless'],
  ['run bully -n 3 --values 1,2,3 --role a --role b=singh', '--values', 'singh need not'],
  ['check singh -n 3 --values 1,2,3', '--values', 'such as bully'],
  ['cluster singh -n 3 --values 1,2,3', '--values', 'such as bully'],
  ['experiment singh --sweep n=3 --values index', 'run 0 (n 3): values', 'such as bully'],
  ['run DIR/by.json', 'DIR/by.json: elect-by', '["id"]'],
]

const ROLES: Case[] = [
  ["run lcr --role ''", '--role', 'expected a role name'],
  ['run lcr --role =lcr', '--role', 'expected a role name'],
  ['run lcr --role a:b', '--role', '"a:b"'],
  ['run lcr --role 2', '--role', 'begins with a letter'],
  ['run lcr --role a --role a', '--role', 'a is listed twice'],
  ['run lcr --role a --role a=peterson', '--role', 'a is listed twice'],
  ['run lcr --role a=petersen', '--role', 'Did you mean peterson?'],
  ['run lcr --role a=', '--role', '""'],
  ['run lcr --role a --role b=ghs -t star:4', '--topology', 'lcr needs a ring network'],
  ['run ghs --role a --role b=lcr -t star:4', '--topology', 'lcr needs a ring network'],
  ['run lcr --role a=time-slice --values index', '--values', 'time-slice computes with ids'],
  ['run lcr --role a --role b=peterson --order any', '--order', 'peterson needs FIFO links'],
  ['run lcr --role a --role b --svg DIR/run.svg', '--svg', 'there are 2 roles'],
  ['run DIR/two.json --svg DIR/run.svg', '--svg', 'there are 2 roles'],
  ['run DIR/role.json', 'DIR/role.json: role', 'expected a role name'],
  ['run DIR/stranger.json', 'DIR/stranger.json: role', '"seed"'],
  ['run DIR/none.json', 'DIR/none.json: role', 'is empty'],
  ['run DIR/misspelt.json', 'DIR/misspelt.json: role', 'Did you mean peterson?'],
  ['run DIR/two.json --role a --role a', '--role', 'a is listed twice'],
]

describe('invalid attributes or roles are answered with one line that helps', () => {
  let folder = ''
  const placed = (text: string) => text.replaceAll('DIR', folder)
  const wordsOf = (line: string) => line.split(' ').map((word) => placed(word === "''" ? '' : word))

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'conclave-'))
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([...VALUES, ...COINS, ...ATTRIBUTES, ...ROLES])('%s', async (line, where, says) => {
    await expectUsageError(wordsOf(line), placed(where), placed(says))
    expect(readdirSync(folder).sort()).toEqual(Object.keys(FILES).sort())
  })
})
