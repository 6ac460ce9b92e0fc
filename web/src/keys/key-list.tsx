import { Dialog } from '../view/dialog.tsx'
import { bindings, keysShown } from './keys.ts'
import './key-list.css'

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowRight: '→',
  ArrowLeft: '←',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
  Escape: 'Esc',
}

/** Keys of the stage while it has the focus. */
const ON_STAGE = [
  { keys: ['ArrowUp', 'ArrowDown'], says: 'on the stage: from node to node' },
  { keys: ['Enter'], says: 'on the stage: keep it in the inspector' },
]

/** The list of keys, and its button. */
export function KeyList() {
  return (
    <>
      <button
        type="button"
        class="flat"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => {
          keysShown.value = true
        }}
      >
        ?
      </button>
      <Dialog title="Keys" open={keysShown} class="key-list">
        <dl>
          {[...bindings, ...ON_STAGE].map(({ keys, says }) => (
            <div key={says}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{NAMES[key] ?? key}</kbd>
                ))}
              </dt>
              <dd>{says}</dd>
            </div>
          ))}
        </dl>
        <p>
          What is chosen can be broken with the buttons under Break it; Tab goes through all of the
          page.
        </p>
      </Dialog>
    </>
  )
}
