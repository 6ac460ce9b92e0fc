import {
  type ReadonlySignal,
  type Signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isUpperBound } from '../../../src/core/language/theory.ts'
import { grouped } from '../../../src/core/text-format.ts'
import { Chart, type ChartSeries } from '../chart/chart.tsx'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'
import { algorithmOfRun, offered } from '../model/algorithm-list.ts'
import { compared, run } from '../model/lab.ts'
import { type GrowthSettings, growsFrom, MeasuredGrowth } from './measure-growth.ts'
import './growth.css'

/** The largest n on the slider: 2 to this power. */
const [LEAST_POWER, USUAL_POWER, MOST_POWER] = [2, 6, 12]
/** More algorithms cannot be told apart. */
const MOST_COMPARED = 4
const BOUNDS = {
  worst: 'at most',
  upper: 'at most',
  best: 'at least',
  average: 'average',
  lower: 'lower bound',
}

/** Measures the chosen algorithms on growing networks while the dialog is open. */
function useGrowths(
  names: ReadonlySignal<readonly string[]>,
  ids: ReadonlySignal<GrowthSettings['ids']>,
  power: ReadonlySignal<number>,
): readonly MeasuredGrowth[] {
  const shown = run.value
  const entries = useComputed(() => fitting().filter(({ name }) => names.value.includes(name)))
  const growths = useSignal<readonly MeasuredGrowth[]>([])
  useSignalEffect(() => {
    const settings = { ids: ids.value, seeds: ids.value === 'random' ? 5 : 1 }
    const own = algorithmOfRun(shown)?.name
    const next = entries.value.map((entry) =>
      MeasuredGrowth.of(shown, settings, entry, entry.name === own),
    )
    for (const growth of growths.peek()) growth.close()
    growths.value = next
  })
  useSignalEffect(() => {
    for (const { largest } of growths.value) largest.value = 2 ** power.value
  })
  useEffect(
    () => () => {
      for (const growth of growths.peek()) growth.close()
    },
    [growths],
  )
  return growths.value
}

/** Messages on growing networks, against what is proven. */
export function GrowthDialog() {
  const power = useSignal(USUAL_POWER)
  const ids = useSignal<GrowthSettings['ids']>('random')
  const names = useSignal<readonly string[]>(initialNames())
  const growths = useGrowths(names, ids, power)
  const meets = algorithmOfRun(run.value)?.meets === true
  if (!growsFrom(run.value))
    return <p>This network has no size that could be varied. Choose one by its name and size.</p>
  return (
    <>
      <AlgorithmChoices names={names} />
      <p class="settings">
        <label>
          Nodes: up to {grouped(2 ** power.value)}
          <input
            type="range"
            min={LEAST_POWER}
            max={MOST_POWER}
            value={power.value}
            aria-valuetext={`up to ${2 ** power.value} nodes`}
            onInput={({ currentTarget }) => {
              power.value = Number(currentTarget.value)
            }}
          />
        </label>
        <label>
          Ids
          <select
            value={ids.value}
            onChange={({ currentTarget }) => {
              ids.value = currentTarget.value as GrowthSettings['ids']
            }}
          >
            <option value="random">random, mean of 5</option>
            <option value="increasing">increasing</option>
            <option value="decreasing">decreasing</option>
          </select>
        </label>
      </p>
      <Chart
        title={`${meets ? 'Interactions' : 'Messages'} by the number of nodes, logarithmic`}
        series={growths.flatMap(seriesOf)}
        x="nodes"
        y={meets ? 'interactions until one leads' : 'messages without the announcement'}
        logarithmic
      />
      <Slopes growths={growths} />
      <p class="note">
        On these axes a line of slope 1 is proportional to n, one of slope 2 to n squared; n log n
        lies a little above slope 1. Dashed: what is proven.
      </p>
    </>
  )
}

function AlgorithmChoices({ names }: { readonly names: Signal<readonly string[]> }) {
  return (
    <fieldset>
      <legend>Algorithms</legend>
      {fitting().map(({ name, title }) => (
        <label key={name} class="choice">
          <input
            type="checkbox"
            checked={names.value.includes(name)}
            disabled={!names.value.includes(name) && names.value.length >= MOST_COMPARED}
            onChange={({ currentTarget: { checked } }) => {
              const others = names.value.filter((other) => other !== name)
              names.value = checked ? [...others, name] : others
            }}
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}

/** What was measured of each algorithm, in words. */
function Slopes({ growths }: { readonly growths: readonly MeasuredGrowth[] }) {
  return (
    <ul class="notes">
      {growths.map(({ entry, refusal, exhausted, points }) => (
        <li key={entry.name}>
          <strong>{entry.title}</strong>: {slopeText(points.value)}
          {refusal.value}
          {exhausted.value && ' Larger runs have too many messages to count here.'}
        </li>
      ))}
    </ul>
  )
}

/** The algorithms that can run on the kind of the current network. */
function fitting(): readonly AlgorithmEntry[] {
  const own = algorithmOfRun(run.value)
  const { kind } = run.value.log.value?.world ?? {}
  const others = offered.value.algorithms.filter(
    ({ name, network, lasting, meets }) =>
      name !== own?.name &&
      [kind, 'any'].includes(network) &&
      !lasting &&
      meets === (own?.meets ?? false),
  )
  return own === null ? others : [own, ...others]
}

function initialNames(): string[] {
  const runs = [run.value, ...compared.value]
  return [...new Set(runs.flatMap((one) => algorithmOfRun(one)?.name ?? []))].slice(
    0,
    MOST_COMPARED,
  )
}

/** The measured means of an algorithm and its bounds. */
function seriesOf(
  { entry, points }: MeasuredGrowth,
  index: number,
  { length }: readonly MeasuredGrowth[],
): ChartSeries[] {
  const known = [...points.value].sort((a, b) => a.n - b.n)
  const colour = `var(--type-${index % 8})`
  const formulas = new Map(
    known
      .flatMap(({ bounds }) => bounds)
      // Several algorithms are compared by what they cost at most.
      .filter((bound) => length === 1 || isUpperBound(bound))
      .map(({ formula, kind }) => [formula, kind] as const),
  )
  const bounds = [...formulas].map(([formula, kind]): ChartSeries => {
    const line = known.flatMap(({ n, bounds: all }) => {
      const bound = all.find((one) => one.formula === formula && one.value > 0)
      return bound === undefined ? [] : [[n, bound.value] as const]
    })
    return {
      name: `${entry.title}, ${BOUNDS[kind]}: ${formula}`,
      colour,
      points: line,
      kind: 'dashed',
    }
  })
  const measured = known.map(({ n, costs }) => [n, mean(costs)] as const)
  return [{ name: entry.title, colour, points: measured, kind: 'points' }, ...bounds]
}

/** The slope between the last point and the one of half its size. */
function slopeText(points: MeasuredGrowth['points']['value']): string {
  const known = [...points].sort((a, b) => a.n - b.n)
  const last = known.at(-1)
  const half = known.find(({ n }) => last !== undefined && 2 * n === last.n)
  if (last === undefined || half === undefined) return 'is being measured. '
  const slope = Math.log2(mean(last.costs) / mean(half.costs))
  const cost = grouped(Math.round(mean(last.costs)))
  return `${cost} messages at n = ${grouped(last.n)}; slope ${slope.toFixed(2)}. `
}

function mean(costs: readonly number[]): number {
  return costs.reduce((sum, cost) => sum + cost, 0) / costs.length
}
