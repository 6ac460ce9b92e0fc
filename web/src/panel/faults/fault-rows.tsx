import { useId } from 'preact/hooks'
import { branches, player } from '../../model/lab.ts'
import { Icon } from '../../view/icon.tsx'
import { change, draft, draftError, tryOut } from '../draft.ts'
import { errorText, TextRow } from '../field.tsx'
import {
  type FaultList,
  faultsOf,
  LISTS,
  type ListedFault,
  newFault,
  withFaults,
} from './fault-plan.ts'
import './faults.css'

const WORDS: Readonly<Record<FaultList, string>> = {
  crashes: 'crashes',
  recoveries: 'recovers',
  retirements: 'retires',
  suspicions: 'is falsely suspected',
  pauses: 'pauses',
  cuts: 'link is cut',
  partitions: 'partition',
}
/** More nodes than this are named by typing their position. */
const LISTED_NODES = 200

/** The faults of the scenario, one row each; `offered` are the fields that fit the algorithm. */
export function FaultRows({ offered }: { readonly offered: readonly string[] }) {
  const plan = faultsOf(draft.value)
  const lists = (Object.keys(LISTS) as FaultList[]).filter((list) => offered.includes(LISTS[list]))
  if (plan === null)
    return (
      <>
        {lists.map((list) => (
          <TextRow key={list} name={LISTS[list]} label={LISTS[list]} />
        ))}
      </>
    )
  const put = <L extends FaultList>(list: L, entries: readonly ListedFault<L>[]) => {
    change(withFaults(list, entries))
    tryOut()
  }
  const rows = lists.flatMap((list) =>
    plan[list].map((fault, i) => (
      <FaultRow
        key={`${list} ${i}`}
        list={list}
        fault={fault}
        onChange={(next) => put(list, plan[list].toSpliced(i, 1, next as never) as never)}
        onRemove={() => put(list, plan[list].toSpliced(i, 1) as never)}
      />
    )),
  )
  const add = (list: FaultList) => {
    const { n, largest } = nodes()
    const at = Math.max(1, Math.round(player.time.value))
    put(list, [...plan[list], newFault(list, largest, at, n)] as never)
  }
  const error = draftError.value
  const here = error?.field != null && lists.some((list) => LISTS[list] === error.field)
  return (
    <div class="faults">
      {rows.length === 0 ? <p class="note">Nothing fails.</p> : <ul>{rows}</ul>}
      {here && (
        <p class="error" role="alert">
          {errorText(error!)}
        </p>
      )}
      <select
        aria-label="Add a fault"
        value=""
        onChange={({ currentTarget }) => {
          add(currentTarget.value as FaultList)
          currentTarget.value = ''
        }}
      >
        <option value="">Add a fault …</option>
        {lists.map((list) => (
          <option key={list} value={list}>
            {list === 'cuts' || list === 'partitions'
              ? `a ${WORDS[list]}`
              : `a node ${WORDS[list]}`}
          </option>
        ))}
      </select>
    </div>
  )
}

/** The nodes of the run that the form belongs to. */
function nodes() {
  const world = branches.value[0].log.value?.world
  const ids = Array.from(world?.ids ?? [])
  return {
    n: world?.n ?? 8,
    /** The position of the largest id, whose fault matters most. */
    largest: Math.max(0, ids.indexOf(Math.max(...ids))),
    label: (node: number) => String(world?.ids?.[node] ?? `node ${node}`),
  }
}

interface RowProps {
  readonly list: FaultList
  readonly fault: ListedFault
  readonly onChange: (fault: ListedFault) => void
  readonly onRemove: () => void
}

function FaultRow({ list, fault, onChange, onRemove }: RowProps) {
  const changed = (part: object) => onChange({ ...fault, ...part } as ListedFault)
  return (
    <li class="fault">
      {'groups' in fault ? (
        <Groups groups={fault.groups} onChange={(groups) => changed({ groups })} />
      ) : 'link' in fault ? (
        <>
          <Who
            label="From"
            node={fault.link[0]}
            onPick={(a) => changed({ link: [a, fault.link[1]] })}
          />
          <Who
            label="To"
            node={fault.link[1]}
            onPick={(b) => changed({ link: [fault.link[0], b] })}
          />
        </>
      ) : 'share' in fault ? (
        <NumberField
          label="Share of the nodes, in %"
          value={100 * fault.share}
          onPick={(percent) => percent !== null && changed({ share: percent / 100 })}
        />
      ) : (
        <Who label="Who" node={fault.node} onPick={(node) => changed({ node })} />
      )}
      <span class="what">{WORDS[list]}</span>
      {'at' in fault ? (
        <NumberField
          label="At"
          value={fault.at}
          {...(list === 'crashes' && { empty: 'never up' })}
          onPick={(at) => (at !== null || list === 'crashes') && changed({ at })}
        />
      ) : (
        <>
          <NumberField
            label="From"
            value={fault.from}
            empty="the start"
            onPick={(from) => changed({ from })}
          />
          <NumberField
            label="Until"
            value={fault.to}
            empty="the end"
            onPick={(to) => changed({ to })}
          />
        </>
      )}
      {'link' in fault && (
        <Check
          label="one way"
          checked={fault.oneWay === true}
          onPick={(oneWay) => changed({ oneWay: oneWay || undefined })}
        />
      )}
      {list === 'recoveries' && 'id' in fault && (
        <>
          <NumberField
            label="Under the id"
            value={fault.id}
            empty="its own"
            onPick={(id) => changed({ id })}
          />
          <Check
            label="memory lost"
            checked={fault.amnesia === true}
            onPick={(amnesia) => changed({ amnesia: amnesia || undefined })}
          />
        </>
      )}
      <button type="button" class="flat small" aria-label="Remove this fault" onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  )
}

function Who(props: {
  readonly label: string
  readonly node: number
  readonly onPick: (node: number) => void
}) {
  const { label, node, onPick } = props
  const id = useId()
  const { n, label: nameOf } = nodes()
  if (n > LISTED_NODES)
    return (
      <NumberField label={label} value={node} onPick={(next) => next !== null && onPick(next)} />
    )
  return (
    <label for={id}>
      {label}
      <select
        id={id}
        value={node}
        onChange={({ currentTarget }) => onPick(Number(currentTarget.value))}
      >
        {Array.from({ length: Math.max(n, node + 1) }, (_, one) => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A number, or nothing where that has a meaning. */
function NumberField(props: {
  readonly label: string
  readonly value: number | null
  readonly empty?: string
  readonly onPick: (value: number | null) => void
}) {
  const { label, value, empty, onPick } = props
  const id = useId()
  return (
    <label for={id}>
      {label}
      <input
        id={id}
        class="field"
        type="number"
        step="any"
        min={0}
        placeholder={empty}
        value={value ?? ''}
        onChange={({ currentTarget: { value: text } }) => onPick(text === '' ? null : Number(text))}
      />
    </label>
  )
}

function Check(props: {
  readonly label: string
  readonly checked: boolean
  readonly onPick: (checked: boolean) => void
}) {
  const { label, checked, onPick } = props
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onPick(currentTarget.checked)}
      />
      {label}
    </label>
  )
}

/** Which nodes are on which side; the others, if any, stay connected to all. */
function Groups(props: {
  readonly groups: readonly (readonly number[])[]
  readonly onChange: (groups: readonly (readonly number[])[]) => void
}) {
  const { groups, onChange } = props
  const { n, label } = nodes()
  const sideOf = (node: number) => groups.findIndex((group) => group.includes(node))
  const move = (node: number) => {
    const to = (sideOf(node) + 1) % groups.length
    const next = groups.map((group, side) => {
      const others = group.filter((one) => one !== node)
      return side === to ? [...others, node].sort((a, b) => a - b) : others
    })
    if (next.every(({ length }) => length > 0)) onChange(next)
  }
  return (
    <div class="groups">
      {Array.from({ length: n }, (_, node) => (
        <button
          key={node}
          type="button"
          class={`small side-${sideOf(node)}`}
          aria-label={`${label(node)} is on side ${sideOf(node) + 1}: move it`}
          onClick={() => move(node)}
        >
          {label(node)}
        </button>
      ))}
    </div>
  )
}
