import { toggleChecking } from '../checker/checking.tsx'
import { coding, reading, toggleCode } from '../editor/editor-panel.tsx'
import { checking } from '../model/check-outcome.ts'
import { Icon } from './icon.tsx'
import { cramped, type PagePart, parts, toggle } from './layout.ts'
import type { BarTool } from './top-bar.tsx'

const TABS = [
  { part: 'scenario', name: 'Scenario', icon: 'settings' },
  { part: 'diagram', name: 'Diagram', icon: 'diagram' },
  { part: 'figures', name: 'Counts', icon: 'counts' },
  { part: 'changes', name: 'Break', icon: 'cut' },
] as const

/** The switches of the parts for the bar. */
export function partTools(): BarTool[] {
  return TABS.map(({ part, name, icon }) => ({
    name,
    icon,
    act: () => choose(part),
    pressed: isShown(part),
    rank: 'first',
  }))
}

/** The same as tabs at the bottom of a phone, with the checker and the editor. */
export function PartTabs() {
  const tools = partTools()
  const code = () => {
    parts.value = new Set()
    toggleCode()
  }
  return (
    <nav class="part-tabs" aria-label="Parts">
      {[
        ...tools,
        { name: 'Check', icon: 'check', act: toggleChecking, pressed: checking.value } as const,
        { name: 'Code', icon: 'code', act: code, pressed: coding.value || reading.value } as const,
      ].map(({ name, icon, act, pressed }) => (
        <button type="button" class="flat" key={name} aria-pressed={pressed} onClick={act}>
          <Icon name={icon} />
          {name}
        </button>
      ))}
    </nav>
  )
}

/** The code, the editor and the checker are in the place of the scenario. */
function isShown(part: PagePart): boolean {
  return parts.value.has(part) && !(part === 'scenario' && isCovered())
}

function isCovered(): boolean {
  return coding.value || checking.value || reading.value
}

function choose(part: PagePart): void {
  const over = part === 'scenario' && isCovered()
  coding.value = false
  if (cramped.value || part === 'scenario') {
    checking.value = false
    reading.value = false
  }
  if (!over || !parts.value.has(part)) toggle(part)
}
