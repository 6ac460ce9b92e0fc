import { useSignal } from '@preact/signals'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { beside, branches, run, shown } from '../model/lab.ts'
import { Run } from '../model/run.ts'
import { Dialog } from '../view/dialog.tsx'

/** Fields that mean the same to every algorithm on the same kind of network. */
const COMMON = ['topology', 'ids', 'timing', 'delay', 'order', 'seed', 'values']

/** Chooses what stands beside the run that is shown: a branch, or another algorithm. */
export function Compare() {
  const open = useSignal(false)
  const close = (other: Run | null) => {
    beside.value = other
    open.value = false
  }
  const others = branches.value.filter((_, i) => i !== shown.value)
  return (
    <>
      <button
        type="button"
        class="plain"
        onClick={() => {
          open.value = true
        }}
      >
        Compare
      </button>
      <Dialog title="Compare side by side" open={open} class="compare">
        <p>Both runs go by the same clock.</p>
        {others.length > 0 && (
          <section>
            <h3>With a branch of this run</h3>
            {others.map((branch) => (
              <button type="button" key={branch.origin?.change} onClick={() => close(branch)}>
                {branch.origin?.change ?? 'as it was'}
              </button>
            ))}
          </section>
        )}
        <section>
          <h3>With another algorithm in the same world</h3>
          <p class="choices">
            {fitting().map((name) => (
              <button type="button" key={name} onClick={() => close(inSameWorld(name))}>
                {name}
              </button>
            ))}
          </p>
        </section>
        {beside.value !== null && (
          <button type="button" onClick={() => close(null)}>
            Stop comparing
          </button>
        )}
      </Dialog>
    </>
  )
}

/** Algorithms that may run on the network that is shown. */
function fitting(): string[] {
  const { kind, algorithm } = run.value.log.value?.world ?? {}
  const gossip = aggregations.map(({ name }) => name)
  if (algorithm !== undefined && gossip.includes(algorithm))
    return gossip.filter((name) => name !== algorithm)
  return catalogue
    .filter(({ name, needs }) => name !== algorithm && ['any', kind].includes(needs.topology))
    .map(({ name }) => name)
}

function inSameWorld(algorithm: string): Run {
  const whole: Readonly<Record<string, unknown>> = { ...run.value.whole.value }
  const given = Object.fromEntries(
    COMMON.flatMap((field) => (field in whole ? [[field, whole[field]]] : [])),
  )
  const needs = catalogue.find(({ name }) => name === algorithm)?.needs
  if (needs?.time === 'rounds') Object.assign(given, { timing: 'sync', delay: undefined })
  return new Run({ ...given, algorithm })
}
