import { useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { closeDialog, DIALOGS, dialogShown } from './dialogs.ts'
import { Icon } from './icon.tsx'
import './dialog.css'

/** The modal dialog; Escape, a click outside and its button close it. */
export function ModalDialog() {
  const element = useRef<HTMLDialogElement>(null)
  useSignalEffect(() => {
    if (dialogShown.value !== null) element.current?.showModal()
    else element.current?.close()
  })
  const name = dialogShown.value
  const shown = name === null ? null : DIALOGS[name]
  return (
    <dialog
      ref={element}
      class={`dialog ${name ?? ''}`}
      aria-label={shown?.title ?? 'Closed'}
      onClose={closeDialog}
      onClick={({ target }) => {
        if (target === element.current) closeDialog()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') closeDialog()
      }}
    >
      {shown !== null && (
        <div class="dialog-body">
          <header>
            <h2>{shown.title}</h2>
            <button type="button" class="flat" aria-label="Close" onClick={closeDialog}>
              <Icon name="close" />
            </button>
          </header>
          <shown.Content />
        </div>
      )}
    </dialog>
  )
}
