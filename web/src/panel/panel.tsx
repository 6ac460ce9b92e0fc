import { parts } from '../view/layout.ts'

/** What is simulated: algorithm, network, ids, timing and all else, with complaints in place. */
export function Panel() {
  return <section class="panel" aria-label="Scenario" hidden={!parts.value.has('scenario')} />
}
