import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { LIST_FAULTS } from '../../../src/options/list-faults.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import { groups, offeredAlgorithm, titleOf } from '../model/algorithm-list.ts'
import { begin, branches, replaceScenario, run } from '../model/lab.ts'
import type { ShownRun } from '../model/run.ts'
import { parts } from '../view/layout.ts'
import { lazy } from '../view/lazy.tsx'
import { About } from './about.tsx'
import { carried, contextOf, faults, offersAttributes, offersSameIds } from './available-fields.ts'
import { Command } from './command.tsx'
import { begins, change, draft, draftError, entry, tryOut, whole } from './draft.ts'
import { ChoiceRow, errorText, TextRow } from './field.tsx'
import { Ids } from './ids.tsx'
import { Network } from './network.tsx'
import { LogRow, Settings, ValuesRow } from './settings.tsx'
import { Timing } from './timing.tsx'
import './panel.css'

/** The form of the scenario: algorithm, network, ids, timing and so on, with error messages. */
export function Panel() {
  const about = entry.value
  return (
    <section class="panel" aria-label="Scenario" hidden={!parts.value.has('scenario')}>
      <h2 class="unseen">Scenario</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          tryOut()
        }}
      >
        <BranchNote />
        <AlgorithmRow />
        {about !== null && <About entry={about} />}
        <OtherError />
        {about !== null && <Fields entry={about} />}
        {/* Enter in a field submits a form that has a submit button. */}
        <button type="submit" class="unseen" tabIndex={-1}>
          Apply
        </button>
      </form>
      <Command />
    </section>
  )
}

/** The form has the scenario before any change: says so while a branch is shown. */
function BranchNote() {
  const { origin, whole, code } = run.value
  if (origin === null || whole.value === null) return null
  const scenario = { ...whole.value }
  return (
    <div class="branch-note" role="note">
      <p>
        A branch is shown: {origin.change}. The form has the scenario before the change; editing it
        starts a new run.
      </p>
      <button
        type="button"
        class="small"
        onClick={() => {
          replaceScenario(scenario, code)
          begin()
        }}
      >
        Use the branch as the scenario
      </button>
    </div>
  )
}

export function AlgorithmRow() {
  const { algorithm = 'a recorded run' } = draft.value
  const known = offeredAlgorithm(entry.value?.name) === entry.value && entry.value !== null
  const pick = (name: string) => {
    const n = branches.value[0].log.value?.world.n ?? 8
    begins(carried(draft.value, entry.value, offeredAlgorithm(name)!, n))
  }
  return (
    <div class="row">
      <label for="algorithm">Algorithm</label>
      <select
        id="algorithm"
        value={known ? entry.value?.name : ''}
        onChange={({ currentTarget }) => pick(currentTarget.value)}
      >
        {!known && <option value="">{entry.value?.name ?? String(algorithm)}</option>}
        {groups.value.map(({ title, algorithms }) => (
          <optgroup key={title} label={title}>
            {algorithms.map(({ name, title: words }) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  )
}

const FaultRows = lazy(async () => (await import('./faults/fault-rows.tsx')).FaultRows)

const CHANCE = ['seed', 'coins', 'corrupt', 'until', 'max-messages', 'allow-weaker']

function Fields({ entry }: { readonly entry: AlgorithmEntry }) {
  const context = contextOf(entry, draft.value, whole.value)
  const { needs, computes, settings } = entry
  const broken = faults(context)
  const decides = offersAttributes(context, draft.value)
  return (
    <>
      <Network entry={entry} />
      {needs?.ids !== undefined && <Ids entry={entry} same={offersSameIds(context)} />}
      {needs?.knows?.includes('weights') && <TextRow name="weights" />}
      {computes && (entry.terms ? <LogRow /> : <ValuesRow decides={false} held />)}
      <Part title="Timing" fields={['timing', 'delay', 'order', 'wake']} open>
        <Timing context={context} />
      </Part>
      {settings.length > 0 && (
        <Part title="Parameters" fields={['set']}>
          <Settings context={context} />
        </Part>
      )}
      {decides && !computes && (
        <Part title="Elect by value" fields={['values', 'elect-by']}>
          <ValuesRow decides held={false} />
        </Part>
      )}
      <Part title="Faults" fields={broken}>
        <FaultRows offered={broken} />
        {broken
          .filter((name) => !Object.hasOwn(LIST_FAULTS, name))
          .map((name) => (
            <TextRow key={name} name={name} />
          ))}
      </Part>
      <Part title="Chance and limits" fields={CHANCE}>
        <TextRow name="seed" numeric otherwise="1" />
        {needs?.coins && <TextRow name="coins" otherwise="drawn" />}
        {entry.anyStart && <TextRow name="corrupt" otherwise="no" />}
        <TextRow
          name="until"
          otherwise={needs === null ? '30' : 'the run is quiet'}
          hint={needs === null ? 'cycles' : 'a time or a round'}
        />
        <TextRow name="max-messages" otherwise="a generous limit" />
        {needs !== null && (
          <ChoiceRow
            name="allow-weaker"
            label="World"
            choices={[
              ['no', 'as strong as needed'],
              ['yes', 'weaker, to see it break'],
            ]}
            value={draft.value['allow-weaker'] ? 'yes' : 'no'}
            onPick={(word) => change({ 'allow-weaker': word === 'yes' ? true : undefined })}
          />
        )}
      </Part>
    </>
  )
}

/**
 * A group of fields, closed until one of them is given or wrong. It stays open afterwards: the user
 * may have cleared a field to type something else.
 */
function Part(props: {
  readonly title: string
  readonly fields: readonly string[]
  readonly open?: boolean
  readonly children: ComponentChildren
}) {
  const { title, fields, open = false, children } = props
  const given = fields.filter((name) => draft.value[name] !== undefined)
  const wrong = draftError.value?.field != null && fields.includes(draftError.value.field)
  const opened = useSignal(open)
  useEffect(() => {
    if (wrong || given.length > 0) opened.value = true
  }, [wrong, given.length])
  return (
    <details
      class="part"
      open={opened.value}
      onToggle={({ currentTarget }) => {
        opened.value = currentTarget.open
      }}
    >
      <summary>{title}</summary>
      {opened.value && children}
    </details>
  )
}

/** An error message that belongs to no visible field. */
function OtherError() {
  const { value } = draftError
  if (value === null) return null
  const here = entry.value === null ? [] : fieldsOf(entry.value)
  if (value.field !== null && here.includes(value.field)) return null
  return (
    <p class="error stray" role="alert">
      {errorText(value)}
    </p>
  )
}

/** The fields that show their own error messages. */
function fieldsOf(entry: AlgorithmEntry): string[] {
  const context = contextOf(entry, draft.value, whole.value)
  const { needs, computes, settings } = entry
  return [
    'n',
    'topology',
    'timing',
    'delay',
    'order',
    'seed',
    'until',
    'max-messages',
    ...(needs === null ? [] : ['allow-weaker', 'ids']),
    ...(needs?.knows?.includes('weights') ? ['weights'] : []),
    ...(computes || offersAttributes(context, draft.value) ? ['values'] : []),
    ...(offersAttributes(context, draft.value) ? ['elect-by'] : []),
    ...(needs?.coins ? ['coins'] : []),
    ...(entry.anyStart ? ['corrupt'] : []),
    ...(settings.length > 0 ? ['set'] : []),
    ...faults(context),
  ]
}

/** The facts of a recorded run, in place of the scenario. */
export function Recorded({ run }: { readonly run: ShownRun }) {
  if (run.recording === null) return null
  const { world, events, snapshots = [], broken } = run.recording
  return (
    <aside class="panel recorded" hidden={!parts.value.has('scenario')} aria-label="Recording">
      <h2>A recording</h2>
      <p>
        {titleOf(world.algorithm)} on {world.topology}, {events.length} events.
      </p>
      {broken && <p>Its last step violates "{broken.property}".</p>}
      <p class="note">
        It is shown as it was written down.{' '}
        {snapshots.length === 0 &&
          'Nodes are known by what they did: their whole state is not in it. '}
        Pick something from the gallery to simulate again.
      </p>
    </aside>
  )
}
