import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { LIST_FAULTS, type ListedFaultName } from '../../../../src/options/list-faults.ts'
import { branches, player } from '../../model/lab.ts'
import { Icon } from '../../view/icon.tsx'
import { change, draft, draftError, tryOut } from '../draft.ts'
import { errorText, TextRow } from '../field.tsx'
import { FAULT_LISTS, faultsOf, type ListedFault, newFault, withFaults } from './fault-plan.ts'
import './faults.css'

/** More nodes than this are named by typing their position. */
const LISTED_NODES = 200

/** The faults of the scenario, one row each; `offered` are the fields that fit the algorithm. */
export function FaultRows({ offered }: { readonly offered: readonly string[] }) {
  const plan = faultsOf(draft.value)
  const lists = FAULT_LISTS.filter((list) => offered.includes(list))
  if (plan === null)
    return (
      <>
        {lists.map((list) => (
          <TextRow key={list} name={list} />
        ))}
      </>
    )
  const put = (list: ListedFaultName, entries: readonly ListedFault[]) => {
    change(withFaults(list, entries))
    tryOut()
  }
  const rows = lists.flatMap((list) =>
    plan[list].map((fault, i) => (
      <FaultRow
        key={`${list} ${i}`}
        list={list}
        fault={fault}
        onChange={(next) => put(list, plan[list].toSpliced(i, 1, next))}
        onRemove={() => put(list, plan[list].toSpliced(i, 1))}
      />
    )),
  )
  const add = (list: ListedFaultName) => {
    const { n, largest } = nodes()
    const at = Math.max(1, Math.round(player.time.value))
    put(list, [...plan[list], newFault(list, largest, at, n)])
  }
  const error = draftError.value
  const here = error?.field != null && lists.some((list) => list === error.field)
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
          add(currentTarget.value as ListedFaultName)
          currentTarget.value = ''
        }}
      >
        <option value="">Add a fault …</option>
        {lists.map((list) => (
          <option key={list} value={list}>
            {'node' in LIST_FAULTS[list].membersOf() ? 'a node ' : 'a '}
            {LIST_FAULTS[list].happens}
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
  readonly list: ListedFaultName
  readonly fault: ListedFault
  readonly onChange: (fault: ListedFault) => void
  readonly onRemove: () => void
}

/** A fault: who or what fails, how, and the other members that a fault of its kind has. */
function FaultRow({ list, fault, onChange, onRemove }: RowProps) {
  const option = LIST_FAULTS[list]
  const [subject, ...others] = Object.entries(option.membersOf(fault as never)).map(
    ([name, { optional = false }]) => {
      const Editor = EDITORS[name]
      const pick = (value: unknown) => {
        const { [name]: _, ...rest } = fault
        if (value !== undefined) onChange({ ...rest, [name]: value })
        else if (optional) onChange(rest)
      }
      return <Editor key={name} value={fault[name]} optional={optional} onPick={pick} />
    },
  )
  return (
    <li class="fault">
      {subject}
      <span class="what">{option.happens}</span>
      {others}
      <button type="button" class="flat small" aria-label="Remove this fault" onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  )
}

interface EditorProps {
  /** The value of the member, undefined if it is left out. */
  readonly value: unknown
  readonly optional: boolean
  readonly onPick: (value: unknown) => void
}

const number = (label: string, empty?: string) =>
  function NumberEditor({ value, optional, onPick }: EditorProps) {
    return (
      <NumberField
        label={label}
        value={value as number | undefined}
        {...(optional && empty !== undefined && { empty })}
        onPick={onPick}
      />
    )
  }

const check = (label: string) =>
  function CheckEditor({ value, onPick }: EditorProps) {
    return <Check label={label} checked={value === true} onPick={(on) => onPick(on || undefined)} />
  }

/** How each member of a fault is edited. */
const EDITORS: Readonly<Record<string, (props: EditorProps) => ComponentChildren>> = {
  node: ({ value, onPick }) => <Who label="Who" node={value as number} onPick={onPick} />,
  share: ({ value, onPick }) => (
    <NumberField
      label="Share of the nodes, in %"
      value={100 * (value as number)}
      onPick={(percent) => percent !== undefined && onPick(percent / 100)}
    />
  ),
  link({ value, onPick }) {
    const [from, to] = value as readonly [number, number]
    return (
      <>
        <Who label="From" node={from} onPick={(node) => onPick([node, to])} />
        <Who label="To" node={to} onPick={(node) => onPick([from, node])} />
      </>
    )
  },
  groups: ({ value, onPick }) => (
    <Groups groups={value as readonly (readonly number[])[]} onChange={onPick} />
  ),
  at: number('At', 'never up'),
  from: number('From', 'the start'),
  to: number('Until', 'the end'),
  oneWay: check('one way'),
  id: number('Under the id', 'its own'),
  amnesia: check('memory lost'),
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
      <NumberField
        label={label}
        value={node}
        onPick={(next) => next !== undefined && onPick(next)}
      />
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
  readonly value: number | undefined
  readonly empty?: string
  readonly onPick: (value: number | undefined) => void
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
        onChange={({ currentTarget: { value: text } }) =>
          onPick(text === '' ? undefined : Number(text))
        }
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
