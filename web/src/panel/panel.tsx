import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import { groups, subjectNamed } from '../model/algorithm-list.ts'
import { begin, branches, open, run } from '../model/lab.ts'
import { parts } from '../view/layout.ts'
import { About } from './about.tsx'
import {
  carried,
  faults,
  offersAttributes,
  offersSameIds,
  situationOf,
} from './available-fields.ts'
import { Command } from './command.tsx'
import { begins, change, draft, subject, trouble, tryOut, whole } from './draft.ts'
import { ChoiceRow, complaintText, TextRow } from './field.tsx'
import { Ids } from './ids.tsx'
import { Network } from './network.tsx'
import { Settings, ValuesRow } from './settings.tsx'
import { Timing } from './timing.tsx'
import './panel.css'

/** What is simulated: algorithm, network, ids, timing and all else, with complaints in place. */
export function Panel() {
  const about = subject.value
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
        {about !== null && <About subject={about} />}
        <StrayTrouble />
        {about !== null && <Fields subject={about} />}
        {/* Enter in a field sends a form that has a button for it. */}
        <button type="submit" class="unseen" tabIndex={-1}>
          Apply
        </button>
      </form>
      <Command />
    </section>
  )
}

/** The form is about the scenario that branches came of: says so while one of them is shown. */
function BranchNote() {
  const { origin, whole, code } = run.value
  if (origin === null || whole.value === null) return null
  const scenario = { ...whole.value }
  return (
    <div class="branch-note" role="note">
      <p>
        A branch is shown: {origin.change}. What stands here is the scenario that it came of; to
        change something here begins anew.
      </p>
      <button
        type="button"
        class="small"
        onClick={() => {
          open(scenario, code)
          begin()
        }}
      >
        Take the branch as the scenario
      </button>
    </div>
  )
}

function AlgorithmRow() {
  const { algorithm = 'a recorded run' } = draft.value
  const known = subjectNamed(subject.value?.name) === subject.value && subject.value !== null
  const pick = (name: string) => {
    const n = branches.value[0].log.value?.world.n ?? 8
    begins(carried(draft.value, subject.value, subjectNamed(name)!, n))
  }
  return (
    <div class="row">
      <label for="algorithm">Algorithm</label>
      <select
        id="algorithm"
        value={known ? subject.value?.name : ''}
        onChange={({ currentTarget }) => pick(currentTarget.value)}
      >
        {!known && <option value="">{subject.value?.name ?? String(algorithm)}</option>}
        {groups.value.map(({ title, subjects }) => (
          <optgroup key={title} label={title}>
            {subjects.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  )
}

function Fields({ subject }: { readonly subject: AlgorithmEntry }) {
  const situation = situationOf(subject, draft.value, whole.value)
  const { needs, computes, settings } = subject
  const broken = faults(situation)
  const decides = offersAttributes(situation, draft.value)
  return (
    <>
      <Network subject={subject} />
      {needs?.ids !== undefined && <Ids subject={subject} same={offersSameIds(situation)} />}
      {needs?.knows?.includes('weights') && (
        <TextRow name="weights" label="Weights of links" hint="random, or 1,2,3 by sorted edges" />
      )}
      {computes && <ValuesRow decides={false} held />}
      <Part title="Timing" fields={['timing', 'delay', 'order', 'wake']} open>
        <Timing situation={situation} />
      </Part>
      {settings.length > 0 && (
        <Part title="Parameters" fields={['set']}>
          <Settings situation={situation} />
        </Part>
      )}
      {decides && !computes && (
        <Part title="Elect by value" fields={['values', 'elect-by']}>
          <ValuesRow decides held={false} />
        </Part>
      )}
      <Part title="Faults" fields={broken.map(({ name }) => name)}>
        {broken.map(({ name, label, hint }) => (
          <TextRow key={name} name={name} label={label} hint={hint} />
        ))}
      </Part>
      <Part title="Chance and limits" fields={['seed', 'until', 'max-messages', 'allow-weaker']}>
        <TextRow name="seed" label="Seed" numeric otherwise="1" />
        <TextRow
          name="until"
          label="Until"
          otherwise={needs === null ? '30' : 'the run is quiet'}
          hint={needs === null ? 'cycles' : 'a time or a round'}
        />
        <TextRow name="max-messages" label="Most messages" otherwise="a generous limit" />
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
 * Some of the fields, put away until one of them is given or wrong. It is not put away again when
 * that is over: somebody may have cleared a field to write something else in it.
 */
function Part(props: {
  readonly title: string
  readonly fields: readonly string[]
  readonly open?: boolean
  readonly children: ComponentChildren
}) {
  const { title, fields, open = false, children } = props
  const given = fields.filter((name) => draft.value[name] !== undefined)
  const wrong = trouble.value?.field != null && fields.includes(trouble.value.field)
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
      {children}
    </details>
  )
}

/** A complaint that is about no field that stands here. */
function StrayTrouble() {
  const { value } = trouble
  if (value === null) return null
  const here = subject.value === null ? [] : fieldsOf(subject.value)
  if (value.field !== null && here.includes(value.field)) return null
  return (
    <p class="trouble stray" role="alert">
      {complaintText(value)}
    </p>
  )
}

/** Fields whose complaints stand beside them. */
function fieldsOf(subject: AlgorithmEntry): string[] {
  const situation = situationOf(subject, draft.value, whole.value)
  const { needs, computes, settings } = subject
  return [
    ...['n', 'topology', 'timing', 'delay', 'order', 'seed', 'until', 'max-messages'],
    ...(needs === null ? [] : ['allow-weaker', 'ids']),
    ...(needs?.knows?.includes('weights') ? ['weights'] : []),
    ...(computes || offersAttributes(situation, draft.value) ? ['values'] : []),
    ...(offersAttributes(situation, draft.value) ? ['elect-by'] : []),
    ...(settings.length > 0 ? ['set'] : []),
    ...faults(situation).map(({ name }) => name),
  ]
}
