import { effect, type Signal } from '@preact/signals'

const PREFIX = 'conclave lab: '

/** A value of an earlier visit; null where there is none, or the browser keeps nothing. */
export function recall(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null')
  } catch {
    return null
  }
}

/** Keeps a value between visits, where the browser allows that. */
export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // The page works without a store: it may be full or forbidden.
  }
}

/** Keeps a signal between visits; what an earlier visit left is used if `isValid` accepts it. */
export function keepSignal<T>(
  name: string,
  kept: Signal<T>,
  isValid: (value: unknown) => value is T,
): void {
  const former = recall(name)
  if (isValid(former)) kept.value = former
  let first = true
  effect(() => {
    const { value } = kept
    if (!first) remember(name, value)
    first = false
  })
}
