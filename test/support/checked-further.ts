import type { CheckReport } from '../../src/cli/check/explore.ts'
import { grouped } from '../../src/core/text-format.ts'
import { sample } from './campaign.ts'
import { shell } from './run-command.ts'

/** Worlds of which everything was seen, by the words that follow `conclave check`. */
const CHECKED = [
  'bully --ids 1,2,3,4 --mode clocked:1 --crashes 1',
  'bully --ids 1,2,3,4 --mode clocked:1 --crashes 2',
  'bully --ids 1,2,3 --mode clocked:2 --crashes 2',
  'bully-textbook --ids 1,2,3,4 --mode clocked:1',
  'ring-list -n 3 --crashes 1',
  'ring-list -n 4 --wake 0 --crashes 1',
  'ring-list-textbook -n 4 --order any',
  'singh -n 5',
  'singh -n 5 --order any',
  'wireless -t complete:3 --crashes 1',
  'wireless -t path:4 --crashes 1',
  'wireless -t path:4 --cuts 1',
  'tree-aggregate -t path:3 --crashes 1',
  'ghs -t complete:5',
  'ghs -t grid:2x3',
  'tree -t path:7 --order any',
  'tree -t tree:7:2 --order any',
  'tree-coin -t tree:7:2',
  'tree-coin -t path:8',
  'hyper-elect -n 8 --ids 1,2,4,3,8,5,6,7 --order any',
  'hyper-elect -n 4 --ids all --order any',
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
  'pairwise -t complete:10 --set walk=off',
  'pairwise -t ring:12',
  'pairwise -t grid:3x4',
  'gossip-max --values 0,4,8 --set exchanges=2',
  'gossip-average --values 0,4,8 --set exchanges=1 --order any',
  'push-sum --values 0,4,8 --set exchanges=1 --order any',
  'rumor -n 3 --set how=pushpull --set exchanges=2',
  'flow-updating -t path:3 --values 0,4,8 --set exchanges=2',
  'metropolis -t path:4 --values 0,4,8,2 --set exchanges=3 --wake all',
  'top-k --values 1,2,3 --set k=2 --set exchanges=2',
  'histogram --values 0.1,0.2,0.7 --set edges=0:0.5:1 --set exchanges=1',
  'lcr -n 4 --crashes 1',
  'quorum-lease -n 3 --set lease=6 --bound term=2 number=5 age=1 --timeouts 1',
  'quorum-lease -n 3 --set lease=4 --bound term=1 number=4 age=1 --timeouts 1 --amnesia 1 --crashes 1',
  'raft -n 3 --links lossy --bound term=2 --crashes 1',
  'raft -n 5 --links lossy --bound term=1',
  'raft -n 3 --links lossy --bound term=1 --set prevote=on',
  'omega -n 4 --mode clocked:1 --crashes 2',
  'stabilizing -t ring:4 --mode patient --corrupt 3',
  'stabilizing -t path:3 --mode clocked:2 --wake all --corrupt 3',
  'leased:bully -n 3 --set lease=4 --bound term=1 number=3 age=1 --timeouts 1',
]

/** Worlds with more states are explored again only in long tests. */
const DAILY_STATES = 8_000

/**
 * A table of them; every row is computed again, and all properties hold in it. Daily, rows of large
 * worlds and most of the others are taken from the document that has them.
 */
export async function checkedFurther(document = ''): Promise<string[]> {
  const rows: string[] = []
  const recorded = process.env.LONG_TESTS ? [] : document.split('\n')
  const now = sample(CHECKED, 4)
  for (const words of CHECKED) {
    const known = recorded.find((row) => row.startsWith(`| \`conclave check ${words}\` |`))
    if (known !== undefined && (statesIn(known) > DAILY_STATES || !now.includes(words))) {
      rows.push(known)
      continue
    }
    const { out, err } = await shell('check', ...words.split(' '), '--json')
    if (err !== '') throw new Error(err)
    const { states, transitions, exhausted, properties }: CheckReport = JSON.parse(out)
    const doubtful = properties.find(({ holds }) => holds === false)
    if (!exhausted || doubtful) throw new Error(`${words}: ${JSON.stringify(doubtful)}`)
    rows.push(`| \`conclave check ${words}\` | ${grouped(states)} | ${grouped(transitions)} |`)
  }
  return ['| Command | States | Transitions |', '| --- | --- | --- |', ...rows, '']
}

function statesIn(row: string): number {
  const [, states] = row.split(' | ')
  return Number(states.replaceAll(',', ''))
}
