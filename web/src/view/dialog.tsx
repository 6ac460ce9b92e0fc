import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import './dialog.css'

interface Props {
  readonly title: string
  readonly open: Signal<boolean>
  readonly children: ComponentChildren
  readonly class?: string
}

/** A modal dialog; Escape, a click outside and its button close it. */
export function Dialog({ title, open, children, class: kind = '' }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const shown = open.value
  useEffect(() => {
    if (shown) element.current?.showModal()
    else element.current?.close()
  }, [shown])
  const close = () => {
    open.value = false
  }
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-label={title}
      onClose={close}
      onClick={({ target }) => {
        if (target === element.current) close()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      {shown && (
        <div class="dialog-body">
          <header>
            <h2>{title}</h2>
            <button type="button" class="flat" aria-label="Close" onClick={close}>
              ✕
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  )
}
