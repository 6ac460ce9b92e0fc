import type { CheckReport } from '../../src/cli/check/explore.ts'
import { grouped } from '../../src/core/text-format.ts'
import { shell } from './run-command.ts'

/** Worlds of which everything was seen, by the words that follow `conclave check`. */
const CHECKED = [
  'bully --ids 1,2,3,4 --mode clocked:1 --crashes 1',
  'bully --ids 1,2,3,4 --mode clocked:1 --crashes 2',
  'bully --ids 1,2,3 --mode clocked:2 --crashes 2',
  'ring-list -n 3 --crashes 1',
  'ring-list -n 4 --wake 0 --crashes 1',
  'singh -n 5',
  'singh -n 5 --order any',
  'wireless -t complete:3 --crashes 1',
  'wireless -t path:4 --crashes 1',
  'wireless -t path:4 --cuts 1',
  'tree-aggregate -t path:3 --crashes 1',
  'ghs -t complete:5',
  'ghs -t grid:2x3',
  'flood-max -t grid:2x3',
  'flood-max -t complete:4',
  'yo-yo -t ring:6 --order any',
  'yo-yo -t grid:2x3 --order any',
  'sublinear -n 2',
  'itai-rodeh -n 1',
  'itai-rodeh -n 2 --draws 5',
  'itai-rodeh -n 3 --draws 3',
  'itai-rodeh -n 4 --draws 2',
  'itai-rodeh-bit -n 4',
  'itai-rodeh-bit -n 6 --set ids=2',
  'itai-rodeh-bare -n 4',
  'itai-rodeh-bare -n 6 --set ids=2',
  'le-lann -n 9',
  'alternating-steps -n 7 --ids all',
  'alternating-steps --ids 1,2,7,3,4,8,5,6 --order any',
  'uni-alternate -n 8 --ids all',
  'gossip-max --values 0,4,8 --set exchanges=2',
  'gossip-average --values 0,4,8 --set exchanges=1 --order any',
  'lcr -n 4 --crashes 1',
  'quorum-lease -n 3 --set lease=4 --bound term=2 number=5 age=1 --timeouts 1',
  'quorum-lease -n 3 --set lease=4 --bound term=1 number=4 age=1 --timeouts 1 --amnesia 1 --crashes 1',
  'leased:bully -n 3 --set lease=4 --bound term=1 number=3 age=1 --timeouts 1',
]

/** A table of them; every row is computed again, and all properties hold in it. */
export async function checkedFurther(): Promise<string[]> {
  const rows: string[] = []
  for (const words of CHECKED) {
    const { out, err } = await shell('check', ...words.split(' '), '--json')
    if (err !== '') throw new Error(err)
    const { states, transitions, exhausted, properties }: CheckReport = JSON.parse(out)
    const doubtful = properties.find(({ holds }) => holds === false)
    if (!exhausted || doubtful) throw new Error(`${words}: ${JSON.stringify(doubtful)}`)
    rows.push(`| \`conclave check ${words}\` | ${grouped(states)} | ${grouped(transitions)} |`)
  }
  return ['| Command | States | Transitions |', '| --- | --- | --- |', ...rows, '']
}
