import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'

/** The editor in the colours of the page; those of the syntax are lighter where it is dark. */
export const look = [
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
