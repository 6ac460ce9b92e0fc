import { useSignal } from '@preact/signals'
import { entryNamed, offered } from '../model/algorithm-list.ts'
import { branches, compared, run, shown } from '../model/lab.ts'
import { Run } from '../model/run.ts'
import { Dialog } from '../view/dialog.tsx'

/** Fields that mean the same to every algorithm on the same kind of network. */
const COMMON = ['topology', 'ids', 'timing', 'delay', 'order', 'seed', 'values']

/** Chooses the run to compare with: a branch, or another algorithm. */
export function Compare() {
  const open = useSignal(false)
  const close = (other: Run | null) => {
    compared.value = other
    open.value = false
  }
  const others = branches.value.filter((_, i) => i !== shown.value)
  return (
    <>
      <button
        type="button"
        class="flat"
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
            <p class="choices">
              {others.map((branch) => (
                <button type="button" key={branch.serial} onClick={() => close(branch)}>
                  {branch.origin?.change ?? 'as it was'}
                </button>
              ))}
            </p>
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
        {compared.value !== null && (
          <button type="button" class="stop" onClick={() => close(null)}>
            Stop comparing
          </button>
        )}
      </Dialog>
    </>
  )
}

/** The algorithms that can run on the current network. */
function fitting(): string[] {
  const { kind, algorithm } = run.value.log.value?.world ?? {}
  const gossips = entryNamed(algorithm)?.network === 'gossip'
  const networks = gossips ? ['gossip'] : ['any', kind]
  return offered.value.algorithms
    .filter(({ name, network }) => name !== algorithm && networks.includes(network))
    .map(({ name }) => name)
}

function inSameWorld(algorithm: string): Run {
  const whole: Readonly<Record<string, unknown>> = { ...run.value.whole.value }
  const fields = COMMON.filter((field) => field in whole)
  const given = Object.fromEntries(fields.map((field) => [field, whole[field]]))
  if (entryNamed(algorithm)?.needs?.time === 'rounds')
    Object.assign(given, { timing: 'sync', delay: undefined })
  return new Run({ ...given, algorithm })
}
