import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { parseJsonDocument } from '../../../src/scenario/json-document.ts'
import { eventError, WITH_OTHERS } from '../recording/events.ts'
import type { RunFacts } from '../recording/run-log.ts'

/** The content of a trace file: its scenario, if there is one, and every event. */
export interface OpenedTrace {
  readonly scenario: ScenarioInput | null
  /** Only in traces of the checker. */
  readonly check: {
    readonly mode: string
    readonly property: string | null
    /** Whether it is a counterexample to induction, which begins anywhere. */
    readonly isInduction: boolean
  } | null
  readonly events: readonly TraceEvent[]
}

type Line = Readonly<Record<string, unknown>>

/** Reads lines of JSON; returns an error message about the first invalid line. */
export function readTrace(text: string): OpenedTrace | string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const read: Line[] = []
  for (const [i, line] of lines.entries()) {
    const value = parsed(line)
    if (value === null) return `Line ${i + 1} is no object in JSON.`
    if (i > 0 || value.event !== 'scenario') {
      const wrong = eventError(value)
      if (wrong !== null) return `Line ${i + 1}: ${wrong}.`
    }
    read.push(value)
  }
  const [head] = read
  if (head?.event !== 'scenario') return { scenario: null, check: null, events: read as never }
  const { mode, property, start } = (head.check ?? {}) as Line
  return {
    scenario: isScenario(head.scenario) ? head.scenario : null,
    check:
      head.check === undefined
        ? null
        : {
            mode: String(mode),
            property: typeof property === 'string' ? property : null,
            isInduction: start !== undefined,
          },
    events: read.slice(1) as never,
  }
}

export function parsed(text: string): Line | null {
  try {
    const value = jsonIn(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Line)
      : null
  } catch {
    return null
  }
}

/** Lines of traces are plain JSON, and many; scenarios may have comments. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseJsonDocument(text, 'the file')
  }
}

export function isScenario(value: unknown): value is ScenarioInput {
  return typeof value === 'object' && value !== null && 'algorithm' in value
}

/** The facts that follow from events alone: the nodes, and the links that carry messages. */
export function worldOf(events: readonly TraceEvent[], algorithm: string): RunFacts {
  const edges = new Map<string, readonly [number, number]>()
  let last = 0
  for (const event of events as readonly (TraceEvent & Partial<Record<string, number>>)[]) {
    last = Math.max(last, event.node)
    for (const place of WITH_OTHERS) {
      const other = event[place]
      if (other === undefined) continue
      last = Math.max(last, other)
      const pair = [Math.min(event.node, other), Math.max(event.node, other)] as const
      edges.set(pair.join(), pair)
    }
  }
  const bare = { types: [], messageTypes: 0 }
  const world: RunFacts = {
    algorithm,
    topology: `${last + 1} nodes`,
    kind: 'graph',
    n: last + 1,
    ids: null,
    edges: [...edges.values()].flat(),
    places: null,
    unit: 'time',
    ...bare,
  }
  return withTypes(world, events)
}

/** Adds the types of all messages and timers in the events. */
export function withTypes(world: RunFacts, events: readonly TraceEvent[]): RunFacts {
  const messages = new Set(world.types.slice(0, world.messageTypes))
  const timers = new Set(world.types.slice(world.messageTypes))
  for (const event of events) {
    if ('type' in event) messages.add(event.type)
    if ('timer' in event) timers.add(event.timer)
  }
  return { ...world, types: [...messages, ...timers], messageTypes: messages.size }
}
