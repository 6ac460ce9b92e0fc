import { SPEAKER_KEYS } from '../presentation/speaker.ts'
import { bindings } from './keys.ts'
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
  N: 'Shift N',
}

/** Keys of the stage while it has the focus. */
const ON_STAGE = [
  { keys: ['ArrowUp', 'ArrowDown'], says: 'on the stage: from node to node' },
  { keys: ['Enter'], says: 'on the stage: keep it in the inspector' },
]

/** The list of keys. */
export function KeyList() {
  return (
    <>
      <Keys of={[...bindings, ...ON_STAGE]} />
      <h3>In a presentation</h3>
      <Keys of={SPEAKER_KEYS} />
      <p>
        Space plays, except on a control that was reached by Tab. What is chosen can be broken with
        the buttons under Break it.
      </p>
    </>
  )
}

function Keys({ of }: { readonly of: readonly { keys: readonly string[]; says: string }[] }) {
  return (
    <dl>
      {of.map(({ keys, says }) => (
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
  )
}
