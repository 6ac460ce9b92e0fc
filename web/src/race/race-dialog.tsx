import { batch } from '@preact/signals'
import { offered, offeredAlgorithm, titleOf } from '../model/algorithm-list.ts'
import { begin, branches, compared, compareRuns, player, run, shown } from '../model/lab.ts'
import { ShownRun } from '../model/run.ts'
import { finishDialog } from '../view/dialogs.tsx'
import { branchName, sentenceStart } from '../words/names.ts'
import { inSameWorld } from './same-world.ts'
import './race.css'

/** More runs than these are too small to see. */
const MOST_RIVALS = 3

/** Chooses the runs to compare with: branches, and other algorithms in the same world. */
export function RaceDialog() {
  const others = branches.value.filter((_, i) => i !== shown.value)
  const restart = () => {
    finishDialog()
    batch(() => player.toStep(0))
    begin()
  }
  return (
    <>
      <p>All runs go by the same clock, until the last has ended. Choose at most {MOST_RIVALS}.</p>
      {others.length > 0 && (
        <fieldset>
          <legend>Branches of this run</legend>
          {others.map((branch) => {
            const words = sentenceStart(branchName(branch))
            const compares = compared.value.includes(branch)
            return (
              <Rival key={words} run={compares ? branch : null} add={() => branch} words={words} />
            )
          })}
        </fieldset>
      )}
      <fieldset>
        <legend>Other algorithms in the same world: network, ids, delays, starts, faults</legend>
        {fitting().map((name) => (
          <Rival key={name} run={rival(name)} add={() => rivalOf(name)} words={titleOf(name)} />
        ))}
        {offeredAlgorithm(run.value.log.value?.world.algorithm)?.meets && (
          <p class="note">
            Here nodes meet and send no messages, so that it races only with its own kind.
          </p>
        )}
        {startsDiffer() && (
          <p class="note">Where an algorithm needs a common start, all nodes start at once.</p>
        )}
      </fieldset>
      <p class="choices">
        <button
          type="button"
          class="primary"
          disabled={compared.value.length === 0}
          onClick={restart}
        >
          Start the race
        </button>
        <button
          type="button"
          disabled={compared.value.length === 0}
          onClick={() => compareRuns([])}
        >
          Stop comparing
        </button>
      </p>
    </>
  )
}

/** One run to compare with; null where it is not compared. */
function Rival(props: {
  readonly run: ShownRun | null
  readonly add: () => ShownRun
  readonly words: string
}) {
  const { run, add, words } = props
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={run !== null}
        disabled={run === null && compared.value.length >= MOST_RIVALS}
        onChange={() =>
          compareRuns(
            run === null
              ? [...compared.value, add()]
              : compared.value.filter((other) => other !== run),
          )
        }
      />
      {words}
    </label>
  )
}

/** The algorithms that can run on the current network. */
function fitting(): string[] {
  const { kind, algorithm } = run.value.log.value?.world ?? {}
  const { network: own, meets = false } = offeredAlgorithm(algorithm) ?? {}
  const gossips = own === 'gossip'
  const networks = gossips ? ['gossip'] : ['any', kind]
  return offered.value.algorithms
    .filter(
      (one) => one.name !== algorithm && networks.includes(one.network) && one.meets === meets,
    )
    .map(({ name }) => name)
}

/** Whether not all nodes start here, but must with some algorithm that is offered. */
function startsDiffer(): boolean {
  const together = (name: string) => offeredAlgorithm(name)?.needs?.start === 'together'
  return run.value.whole.value?.wake !== 'all' && fitting().some(together)
}

/** The run of another algorithm that is compared already; null if there is none. */
function rival(name: string): ShownRun | null {
  const isRival = (one: ShownRun) =>
    one.scenario.algorithm === name && !branches.value.includes(one)
  return compared.value.find(isRival) ?? null
}

function rivalOf(name: string): ShownRun {
  const entry = offeredAlgorithm(name)
  if (entry === null) throw new Error(`there is no algorithm ${name}`)
  return new ShownRun(inSameWorld({ ...run.value.whole.value }, entry))
}
