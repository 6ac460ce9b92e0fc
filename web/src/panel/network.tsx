import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import { offered } from '../model/algorithm-list.ts'
import { branches } from '../model/lab.ts'
import { showDialog } from '../view/dialogs.tsx'
import { change, draft, whole } from './draft.ts'
import { ChoiceRow, errorAbout, Row, textOf } from './field.tsx'
import { kindsOf, readNetwork, startOf, withNumber } from './network-form.ts'

/** Needs that leave only the size open. */
const SIZED: ReadonlySet<string> = new Set(['ring', 'complete'])

/** The kinds of networks that an algorithm may run on; any where nothing is said. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  ring: ['ring'],
  complete: ['complete'],
  tree: ['tree', 'path', 'star', 'edges'],
  hypercube: ['hypercube'],
}

/** The network: its kind where the algorithm runs on several, and its numbers. */
export function Network({ entry }: { readonly entry: AlgorithmEntry }) {
  const needed = entry.needs?.topology ?? 'any'
  const given = draft.value.topology ?? whole.value.topology
  if (SIZED.has(needed) && draft.value.topology === undefined) return <Size />
  const text = textOf(given)
  const all = kindsOf(offered.value.networks)
  const network = readNetwork(text, all)
  const fitting = draft.value['allow-weaker'] === true ? undefined : FITTING[needed]
  const kinds = all.filter(({ kind }) => fitting?.includes(kind) ?? true)
  const meant = all.find(({ kind }) => kind === network?.kind)
  const invalid = errorAbout('topology') !== null
  const pick = (topology: string) => change({ ...fresh(), topology, n: undefined })
  return (
    <>
      <ChoiceRow
        name="topology"
        label="Network"
        choices={kinds.map(({ kind }) => [kind, kind])}
        {...(meant && { hint: meant.meaning })}
        value={network?.kind ?? ''}
        onPick={(kind) => pick(startOf(kind))}
      />
      {(needed === 'any' || needed === 'tree') && (
        <button type="button" class="small" onClick={() => showDialog('drawing')}>
          Draw the network
        </button>
      )}
      {network?.links != null && (
        <Row name="links" label="Links">
          {({ id }) => (
            <input
              id={id}
              class="field"
              aria-invalid={invalid}
              value={network.links ?? ''}
              onInput={({ currentTarget }) => pick(`edges:${currentTarget.value}`)}
            />
          )}
        </Row>
      )}
      {network !== null && network.numbers.length > 0 && (
        <div class="numbers">
          {network.numbers.map(({ name, value }, i) => (
            <Row key={`${network.kind} ${name}`} name={`number ${name}`} label={name}>
              {({ id }) => (
                <input
                  id={id}
                  class="field"
                  inputMode="decimal"
                  aria-invalid={invalid}
                  value={value}
                  onInput={({ currentTarget }) =>
                    pick(withNumber(network, i, currentTarget.value, all))
                  }
                />
              )}
            </Row>
          ))}
        </div>
      )}
    </>
  )
}

/** Removes lists that belong to another number of nodes. */
function fresh() {
  const listed = (value: unknown) => Array.isArray(value) || /^[\d.]+,/.test(textOf(value))
  const lists = ['ids', 'values', 'weights'].filter((name) => listed(draft.value[name]))
  return Object.fromEntries(lists.map((name) => [name, undefined]))
}

/** The number of nodes of the algorithm's own network. */
function Size() {
  const n = branches.value[0].log.value?.world.n
  return (
    <Row name="n" label="Nodes">
      {({ id, describedBy, invalid }) => (
        <input
          id={id}
          class="field"
          type="number"
          min={1}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          value={textOf(draft.value.n ?? n)}
          onInput={({ currentTarget: { value } }) =>
            change({ ...fresh(), n: value === '' ? undefined : value })
          }
        />
      )}
    </Row>
  )
}
