import { signal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { player, run } from '../model/lab.ts'
import { Icon } from './icon.tsx'
import { focusStage } from './layout.ts'
import { lazy } from './lazy.tsx'
import './dialog.css'

/** The modal dialogs of the page; each is loaded when it is first opened. */
export const DIALOGS = {
  gallery: {
    title: 'Gallery',
    Content: lazy(async () => (await import('../panel/gallery/gallery-dialog.tsx')).Gallery),
  },
  compare: {
    title: 'Compare side by side',
    Content: lazy(async () => (await import('../race/race-dialog.tsx')).RaceDialog),
  },
  growth: {
    title: 'How the cost grows with n',
    Content: lazy(async () => (await import('../growth/growth-dialog.tsx')).GrowthDialog),
  },
  drawing: {
    title: 'Draw the network',
    Content: lazy(async () => (await import('../panel/drawing/network-editor.tsx')).NetworkEditor),
  },
  sharing: {
    title: 'Share and export',
    Content: lazy(async () => (await import('../sharing/sharing.tsx')).Sharing),
  },
  keys: {
    title: 'Keys',
    Content: lazy(async () => (await import('../keys/key-list.tsx')).KeyList),
  },
} as const

export type DialogName = keyof typeof DIALOGS

/** The dialog that is shown; at most one at a time. */
const dialogShown = signal<DialogName | null>(null)
/** The run that played when a dialog was opened over it. */
let interrupted: unknown = null

export function showDialog(name: DialogName): void {
  if (player.playing.value) interrupted = run.value
  player.pause()
  dialogShown.value = name
}

/** Closes the dialog; a run that it interrupted goes on. */
function closeDialog(): void {
  if (dialogShown.value === null) return
  dialogShown.value = null
  if (interrupted === run.value) player.play()
  interrupted = null
}

/** Closes the dialog after a choice in it: what follows is on the stage. */
export function finishDialog(): void {
  closeDialog()
  focusStage()
}

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
