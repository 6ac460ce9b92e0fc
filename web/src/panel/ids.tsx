import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import { branches } from '../model/lab.ts'
import { extremeIds } from './available-fields.ts'
import { change, draft, tryOut, whole } from './draft.ts'
import { Row, textOf } from './field.tsx'

const PATTERNS = ['increasing', 'decreasing', 'bit-reversal', 'random', 'same']
/** More ids than this are not listed. */
const IDS_LISTED = 64

const SAME = 'equal ids: no node differs from another, so no election is possible'

/** The ids by position, to edit or to order by a button; a task does without known orders. */
export function Ids(props: {
  readonly entry: AlgorithmEntry
  readonly same: boolean
  readonly task?: boolean
}) {
  const { entry, same, task = false } = props
  const world = branches.value[0].log.value?.world
  // The number of nodes may have just been typed.
  const n = Number(draft.value.n ?? world?.n ?? 0)
  const given = textOf(draft.value.ids ?? whole.value.ids)
  const pattern = PATTERNS.includes(given) ? given : null
  const listed = n <= IDS_LISTED && world?.ids ? Array.from(world.ids).join() : given
  const worst = task ? null : extremeIds(entry.name, 'worst', n)
  const best = task ? null : extremeIds(entry.name, 'best', n)
  const order = (ids: string, seed?: number) => {
    change({
      ids,
      n: draft.value.topology === undefined ? n : undefined,
      ...(seed !== undefined && { seed }),
    })
    tryOut()
  }
  const shuffle = () => order('random', Number(draft.value.seed ?? 1) + 1)
  const title = (ids: string) => `${ids} ids`
  return (
    <Row name="ids" label={pattern === null ? 'Ids by position' : `Ids by position: ${pattern}`}>
      {({ id, describedBy, invalid }) => (
        <>
          <input
            id={id}
            class="field"
            autocomplete="off"
            spellcheck={false}
            aria-invalid={invalid}
            aria-describedby={describedBy}
            value={pattern === null ? given : listed}
            onInput={({ currentTarget: { value } }) =>
              change({ ids: value.trim() === '' ? undefined : value })
            }
            onChange={tryOut}
          />
          <div class="orders">
            <OrderButton says="Shuffle" title="random, the next seed" onClick={shuffle} />
            {!task && (
              <>
                <OrderButton says="Increasing" onClick={() => order('increasing')} />
                <OrderButton says="Decreasing" onClick={() => order('decreasing')} />
              </>
            )}
            {worst && (
              <OrderButton says="Worst" title={title(worst)} onClick={() => order(worst)} />
            )}
            {best && <OrderButton says="Best" title={title(best)} onClick={() => order(best)} />}
            {same && <OrderButton says="Same" title={SAME} onClick={() => order('same')} />}
          </div>
        </>
      )}
    </Row>
  )
}

function OrderButton(props: {
  readonly says: string
  readonly title?: string
  readonly onClick: () => void
}) {
  const { says, title, onClick } = props
  return (
    <button type="button" class="small" title={title} onClick={onClick}>
      {says}
    </button>
  )
}
