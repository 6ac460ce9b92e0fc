import type { ComponentChildren } from 'preact'
import { type PagePart, parts, present, toggle } from './layout.ts'
import { nextScheme, scheme } from './theme.ts'

/** The name of the lab, switches for its parts, and buttons for its dialogs. */
export function TopBar({ children }: { readonly children: ComponentChildren }) {
  return (
    <header class="top">
      <h1 class="name">
        <Emblem />
        <span>Conclave lab</span>
      </h1>
      <PartButton part="scenario">Scenario</PartButton>
      <PartButton part="diagram">Diagram</PartButton>
      <PartButton part="figures">Counts</PartButton>
      <nav class="lab-tools" aria-label="Lab">
        {children}
        <button type="button" class="flat" onClick={() => present(true)} title="Key: p">
          Present
        </button>
        <SchemeButton />
      </nav>
    </header>
  )
}

function PartButton({ part, children }: { readonly part: PagePart; readonly children: string }) {
  return (
    <button
      type="button"
      class="small"
      aria-pressed={parts.value.has(part)}
      onClick={() => toggle(part)}
    >
      {children}
    </button>
  )
}

const SIGNS = { auto: '◐', light: '☀', dark: '☾' } as const

function SchemeButton() {
  const words = `Colours: ${scheme.value}`
  return (
    <button type="button" class="flat" onClick={nextScheme} aria-label={words} title={words}>
      {SIGNS[scheme.value]}
    </button>
  )
}

/** A ring of five, one of them elected. */
function Emblem() {
  const places = [0, 1, 2, 3, 4].map((i) => (i * 2 * Math.PI) / 5 - Math.PI / 2)
  return (
    <svg viewBox="-12 -12 24 24" aria-hidden="true">
      <circle r="8" fill="none" stroke="var(--edge)" stroke-width="1.5" />
      {places.map((angle, i) => (
        <circle
          key={angle}
          cx={8 * Math.cos(angle)}
          cy={8 * Math.sin(angle)}
          r={i === 0 ? 3.8 : 2.6}
          fill={i === 0 ? 'var(--leader)' : 'var(--unknown)'}
          stroke={i === 0 ? 'var(--ink)' : 'none'}
        />
      ))}
    </svg>
  )
}
