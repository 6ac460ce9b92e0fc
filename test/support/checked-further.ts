import type { CheckReport } from '../../src/cli/check/explore.ts'
import { grouped } from '../../src/core/text-format.ts'
import { sample } from './campaign.ts'
import { shell } from './run-command.ts'

/** Worlds of which everything was seen, by the words that follow `conclave check`. */
const CHECKED = [
  'bully --ids 1,2,3,4 --mode clocked:1 --crashes 1 --order fifo',
  'bully --ids 1,2,3,4 --mode clocked:1 --crashes 2 --order fifo',
  'bully --ids 1,2,3 --mode clocked:2 --crashes 2 --order fifo',
  'bully-textbook --ids 1,2,3,4 --mode clocked:1 --order fifo',
  'ring-list -n 3 --crashes 1 --ids random --order fifo',
  'ring-list -n 4 --wake 0 --crashes 1 --ids random --order fifo',
  'ring-list-textbook -n 4 --order any --ids random',
  'singh -n 5 --ids random --order fifo',
  'singh -n 5 --order any --ids random',
  'wireless -t complete:3 --crashes 1 --ids random --order fifo',
  'wireless -t path:4 --crashes 1 --ids random --order fifo',
  'wireless -t path:4 --cuts 1 --ids random --order fifo',
  'tree-aggregate -t path:3 --crashes 1 --ids random --order fifo',
  'ghs -t complete:5 --ids random --order fifo',
  'ghs -t grid:2x3 --ids random --order fifo',
  'tree -t path:7 --order any --ids random',
  'tree -t tree:7:2 --order any --ids random',
  'tree-coin -t tree:7:2 --order fifo',
  'tree-coin -t path:8 --order fifo',
  'hyper-elect -n 8 --ids 1,2,4,3,8,5,6,7 --order any',
  'hyper-elect -n 4 --ids all --order any',
  'flood-max -t grid:2x3 --ids random --order fifo',
  'flood-max -t complete:4 --ids random --order fifo',
  'yo-yo -t ring:6 --order any --ids random',
  'yo-yo -t grid:2x3 --order any --ids random',
  'sublinear -n 2 --ids random --order fifo',
  'itai-rodeh -n 1 --order fifo',
  'itai-rodeh -n 2 --draws 5 --order fifo',
  'itai-rodeh -n 3 --draws 3 --order fifo',
  'itai-rodeh -n 4 --draws 2 --order fifo',
  'itai-rodeh-bit -n 4 --order fifo',
  'itai-rodeh-bit -n 6 --set ids=2 --order fifo',
  'itai-rodeh-bare -n 4 --order fifo',
  'itai-rodeh-bare -n 6 --set ids=2 --order fifo',
  'le-lann -n 9 --ids random --order fifo',
  'alternating-steps -n 7 --ids all --order fifo',
  'alternating-steps --ids 1,2,7,3,4,8,5,6 --order any',
  'uni-alternate -n 8 --ids all --order fifo',
  'pairwise -t complete:10 --set walk=off',
  'pairwise -t ring:12',
  'pairwise -t grid:3x4',
  'gossip-max --values 0,4,8 --set exchanges=2 --order fifo',
  'gossip-average --values 0,4,8 --set exchanges=1 --order any',
  'push-sum --values 0,4,8 --set exchanges=1 --order any',
  'rumor -n 3 --set how=pushpull --set exchanges=2 --order fifo',
  'flow-updating -t path:3 --values 0,4,8 --set exchanges=2 --order fifo',
  'metropolis -t path:4 --values 0,4,8,2 --set exchanges=3 --wake all --order fifo',
  'top-k --values 1,2,3 --set k=2 --set exchanges=2 --order fifo',
  'histogram --values 0.1,0.2,0.7 --set edges=0:0.5:1 --set exchanges=1 --order fifo',
  'lcr -n 4 --crashes 1 --ids random --order fifo',
  'quorum-lease -n 3 --set lease=6 --bound term=2 number=5 age=1 --timeouts 1 --ids random --order fifo',
  'quorum-lease -n 3 --set lease=4 --bound term=1 number=4 age=1 --timeouts 1 --amnesia 1 --crashes 1 --ids random --order fifo',
  'raft -n 3 --links lossy --bound term=2 --crashes 1 --ids random',
  'raft -n 5 --links lossy --bound term=1 --ids random',
  'raft -n 3 --links lossy --bound term=1 --set prevote=on --ids random',
  'omega -n 4 --mode clocked:1 --crashes 2 --ids random --order fifo',
  'stabilizing -t ring:4 --mode patient --corrupt 3 --ids random --order fifo',
  'stabilizing -t path:3 --mode clocked:2 --wake all --corrupt 3 --ids random --order fifo',
  'leased:bully -n 3 --set lease=4 --bound term=1 number=3 age=1 --timeouts 1 --ids random --order fifo',
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
  const now = sample(CHECKED, 12)
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
