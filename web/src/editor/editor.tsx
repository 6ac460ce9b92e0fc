import { autocompletion, type CompletionContext } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { type Signal, signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { offered } from '../model/algorithm-list.ts'
import { player, replaceScenario, run } from '../model/lab.ts'
import type { Code } from '../model/run.ts'
import { CheckPanel } from './check-panel.tsx'
import { compiledSource, completionsAt, explain } from './compile.ts'
import type { Compiled } from './compiler-protocol.ts'
import { beginning, type Draft, draftFor, inCatalogue, keep } from './drafts.ts'
import { inEditor } from './editor-panel.tsx'
import { saveDefinition } from './saved-file.ts'

/** Milliseconds without typing after which the types are checked. */
const TYPING_PAUSE_MS = 400

/** The text of a draft in an editor view, whose types are checked while it rests. */
class SourceView {
  readonly source: Signal<string>
  readonly compiled = signal<Compiled | null>(null)
  editor: EditorView | null = null
  private waiting = 0

  constructor(private readonly draft: Signal<Draft>) {
    this.source = signal(draft.peek().source)
  }

  /** Shows the draft in an element; returns what takes it away. */
  open(parent: HTMLElement): () => void {
    const draft = this.draft.value
    const editor = new EditorView({
      parent,
      state: stateOf(draft, (text) => {
        this.source.value = text
        keep(draft, text)
        clearTimeout(this.waiting)
        this.waiting = window.setTimeout(() => this.judge(), TYPING_PAUSE_MS)
      }),
    })
    this.editor = editor
    this.source.value = draft.source
    void this.judge()
    return () => {
      clearTimeout(this.waiting)
      editor.destroy()
    }
  }

  /** What was compiled; null while there are mistakes in it. */
  async code(): Promise<Code | null> {
    const result = await this.judge()
    if (result === null || result.diagnoses.some(({ grave }) => grave)) return null
    const { compiled, lines, use } = result
    return { path: this.draft.value.path, source: this.text(), compiled, lines, use }
  }

  private text(): string {
    return this.editor?.state.doc.toString() ?? ''
  }

  /** Compiles the text, and marks the mistakes in it; null if it has changed meanwhile. */
  private async judge(): Promise<Compiled | null> {
    const source = this.text()
    const result = await compiledSource(this.draft.value.path, source)
    if (this.editor?.state.doc.toString() !== source) return null
    this.compiled.value = result
    this.editor.dispatch(
      setDiagnostics(
        this.editor.state,
        result.diagnoses.map(({ from, to, message, grave }) => ({
          from: Math.min(from, source.length),
          to: Math.min(Math.max(to, from), source.length),
          message,
          severity: grave ? ('error' as const) : ('warning' as const),
        })),
      ),
    )
    return result
  }
}

/** An editor that checks types, and runs, explores and measures the definition in it. */
export function Editor({ close }: { readonly close: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const draft = useSignal<Draft>(draftFor(run.value))
  const view = useMemo(() => new SourceView(draft), [draft])
  useEffect(() => view.open(place.current!), [view, draft.value])
  useSignalEffect(() => {
    inEditor.value = { path: draft.value.path, source: view.source.value }
  })
  useEffect(
    () => () => {
      inEditor.value = null
    },
    [],
  )

  const runIt = async () => {
    const own = await view.code()
    if (own === null) return
    const { algorithm: _, ...rest } =
      run.value.code === null ? draft.value.scenario : run.value.scenario
    replaceScenario({ ...rest, algorithm: 'own' }, own)
    player.play()
  }

  const errors = view.compiled.value?.diagnoses.filter(({ grave }) => grave) ?? []
  return (
    <section class="editor" aria-label="Own definition">
      <header class="bar">
        <Beginnings draft={draft} />
        <button type="button" class="primary" onClick={runIt} disabled={errors.length > 0}>
          Run it
        </button>
        <DraftTools draft={draft} source={view.source.value} />
        <button type="button" class="flat" aria-label="Close the editor" onClick={close}>
          ✕
        </button>
      </header>
      <div class="source" ref={place} />
      <Problems errors={errors} view={view.editor} />
      <CheckPanel
        code={() => view.code()}
        source={view.source.value}
        scenario={draft.value.scenario}
        ready={errors.length === 0}
      />
    </section>
  )
}

/** The definition of the catalogue that a draft began with; null for own code. */
function origin({ name }: Draft): Draft | null {
  return name === 'own' ? null : inCatalogue(name)
}

/** The definitions to start from. */
function Beginnings({ draft }: { readonly draft: Signal<Draft> }) {
  return (
    <label>
      Start from{' '}
      <select
        onChange={({ currentTarget }) => {
          draft.value = beginning(currentTarget.value)
        }}
      >
        {origin(draft.value) === null && <option selected>own code</option>}
        {offered.value.algorithms
          .filter(({ network }) => network !== 'gossip')
          .map(({ name }) => (
            <option key={name} value={name} selected={draft.value.name === name}>
              {name}
            </option>
          ))}
      </select>
    </label>
  )
}

/** Saves the code, or takes all changes back. */
function DraftTools({ draft, source }: { readonly draft: Signal<Draft>; readonly source: string }) {
  const named = origin(draft.value)
  return (
    <>
      <button
        type="button"
        title="Save the code as a file, for conclave run and conclave check"
        onClick={() => saveDefinition(draft.value.path, source)}
      >
        Save
      </button>
      {named !== null && source !== named.source && (
        <button
          type="button"
          title="Back to what the catalogue has"
          onClick={() => {
            draft.value = { ...named }
            keep(named, named.source)
          }}
        >
          Start over
        </button>
      )}
    </>
  )
}

function Problems({
  errors,
  view,
}: {
  readonly errors: readonly { from: number; message: string }[]
  readonly view: EditorView | null
}) {
  const refusal = run.value.code === null ? null : run.value.refusal.value
  const lineAt = (from: number) =>
    view === null ? 0 : view.state.doc.lineAt(Math.min(from, view.state.doc.length)).number
  const goTo = (line: number) => {
    if (view === null || line > view.state.doc.lines) return
    view.dispatch({ selection: { anchor: view.state.doc.line(line).from }, scrollIntoView: true })
    view.focus()
  }
  // Mistakes in displays and reasons end no run.
  const shown = run.value.code && run.value.known.value > 0 ? run.value.log.value?.problems : []
  if (errors.length === 0 && refusal === null && !shown?.length) return null
  return (
    <div class="problems" role="alert">
      <ul>
        {errors.slice(0, 5).map(({ from, message }) => (
          <li key={from}>
            <button type="button" class="small" onClick={() => goTo(lineAt(from))}>
              line {lineAt(from)}
            </button>{' '}
            {message}
          </li>
        ))}
        {refusal !== null && (
          <li>
            {refusal.line !== undefined && (
              <button type="button" class="small" onClick={() => goTo(refusal.line ?? 1)}>
                line {refusal.line}
              </button>
            )}{' '}
            {refusal.message}
          </li>
        )}
        {shown?.slice(0, 3).map((message) => (
          <li key={message}>In display or reasons: {message}</li>
        ))}
      </ul>
    </div>
  )
}

function stateOf({ source, path }: Draft, changed: (text: string) => void): EditorState {
  return EditorState.create({
    doc: source,
    extensions: [
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      bracketMatching(),
      lintGutter(),
      LOOK,
      javascript({ typescript: true }),
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ 'aria-label': 'Source of the definition', tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) changed(state.doc.toString())
      }),
      autocompletion({
        override: [
          async (context: CompletionContext) => {
            const word = context.matchBefore(/[\w$]*/)
            const after = context.matchBefore(/\.[\w$]*/)
            if (!context.explicit && after === null && (word?.from ?? 0) === (word?.to ?? 0))
              return null
            const text = context.state.doc.toString()
            const { completions } = await completionsAt(path, text, context.pos)
            return {
              from: word?.from ?? context.pos,
              options: completions.map(({ name, kind }) => ({ label: name, detail: kind })),
            }
          },
        ],
      }),
      hoverTooltip(async (editor, position) => {
        const { text } = await explain(path, editor.state.doc.toString(), position)
        if (text === '') return null
        return {
          pos: position,
          create() {
            const dom = document.createElement('pre')
            dom.className = 'explanation'
            dom.textContent = text
            return { dom }
          },
        }
      }),
    ],
  })
}

/** The editor in the colours of the page; syntax colours are lighter in the dark scheme. */
const LOOK = [
  EditorView.theme({
    '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)' },
    '.cm-content': { caretColor: 'var(--ink)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-gutters': { color: 'var(--soft)', backgroundColor: 'var(--sunken)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--tint)' },
    '& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
      backgroundColor: 'light-dark(#b9d4f3, #38557a) !important',
    },
    '.cm-matchingBracket': { outline: '1px solid var(--edge)' },
    '.cm-tooltip': {
      color: 'var(--ink)',
      backgroundColor: 'var(--surface)',
      borderColor: 'var(--edge)',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define(
      defaultHighlightStyle.specs.map((spec) => ({ ...spec, ...(spec.color && lit(spec.color)) })),
    ),
  ),
]

function lit(colour: string): { readonly color: string } {
  return { color: `light-dark(${colour}, color-mix(in srgb, ${colour} 40%, white))` }
}
