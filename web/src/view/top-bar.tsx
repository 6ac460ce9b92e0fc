import { Icon, type IconName } from './icon.tsx'
import { nextScheme, scheme } from './theme.ts'
import './top-bar.css'

/** A button of the top bar; where it does not fit it is in the menu. */
export interface BarTool {
  readonly name: string
  readonly icon: IconName
  readonly act: () => void
  readonly pressed?: boolean
  /** Its key, if it has one. */
  readonly key?: string
  /** The order in which tools stay in the bar: `first` ones on every screen. */
  readonly rank: 'first' | 'second' | 'third'
}

interface Props {
  /** The places of the page: lessons, gallery, lab. */
  readonly places: readonly BarTool[]
  /** The parts of the lab that can be hidden; empty where they have tabs of their own. */
  readonly parts: readonly BarTool[]
  readonly tools: readonly BarTool[]
}

/** The name of the page, its places, the parts and tools of the lab, and a menu for the rest. */
export function TopBar({ places, parts, tools }: Props) {
  const all = [...tools, schemeTool()]
  return (
    <header class="top">
      <h1 class="name">
        <Emblem />
        <span>Conclave</span>
      </h1>
      <nav class="places" aria-label="Places">
        {places.map((tool) => (
          <ToolButton key={tool.name} tool={tool} />
        ))}
      </nav>
      {parts.length > 0 && (
        <div class="parts">
          {parts.map((tool) => (
            <ToolButton key={tool.name} tool={tool} />
          ))}
        </div>
      )}
      <div class="tools">
        {all.map((tool) => (
          <ToolButton key={tool.name} tool={tool} />
        ))}
        <button
          type="button"
          class="flat more"
          aria-label="Menu"
          title="Menu"
          popovertarget="tool-menu"
        >
          <Icon name="more" />
        </button>
      </div>
      <div class="tool-menu" id="tool-menu" popover="auto">
        {all.map((tool) => (
          <ToolButton key={tool.name} tool={tool} inMenu />
        ))}
      </div>
    </header>
  )
}

/** A tool as a button; in the menu it closes the menu. */
function ToolButton({ tool, inMenu = false }: { readonly tool: BarTool; inMenu?: boolean }) {
  const { name, icon, act, pressed, key, rank } = tool
  return (
    <button
      type="button"
      class={`flat tool ${rank}`}
      title={key === undefined ? name : `${name} (${key})`}
      aria-label={name}
      aria-pressed={pressed}
      onClick={() => {
        if (inMenu) document.getElementById('tool-menu')?.hidePopover()
        act()
      }}
    >
      <Icon name={icon} />
      <span>{name}</span>
    </button>
  )
}

const SCHEME_ICONS = { auto: 'contrast', light: 'sun', dark: 'moon' } as const

function schemeTool(): BarTool {
  const name = `Colours: ${scheme.value}`
  return { name, icon: SCHEME_ICONS[scheme.value], act: nextScheme, rank: 'third' }
}

/** The switch between light and dark, for places without the bar of the lab. */
export function SchemeButton() {
  return <ToolButton tool={schemeTool()} />
}

/** A ring of five, one of them elected. */
export function Emblem() {
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
