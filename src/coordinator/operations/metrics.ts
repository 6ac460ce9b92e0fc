/** Labels of a sample, such as `{ role: 'cron' }`. */
export type MetricLabels = Readonly<Record<string, string>>

interface MetricSample {
  /** What follows the name: `_total`, `_bucket`, or nothing. */
  readonly suffix: string
  readonly labels: MetricLabels
  readonly value: number
}

/** One metric with all its samples, at one moment. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly MetricSample[]
}

/** Upper bounds of the buckets of durations, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Different labels beyond this number, which strangers may cause, are counted as one. */
const MOST_SERIES = 100

/** Values by labels, within bounds. */
class Series<T> {
  private readonly values = new Map<string, { readonly labels: MetricLabels; readonly value: T }>()

  constructor(private readonly make: () => T) {}

  of(labels: MetricLabels): T {
    const known = this.values.size < MOST_SERIES || this.values.has(JSON.stringify(labels))
    const kept = known
      ? labels
      : Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']))
    const key = JSON.stringify(kept)
    const found = this.values.get(key) ?? { labels: kept, value: this.make() }
    this.values.set(key, found)
    return found.value
  }

  all(): Iterable<{ readonly labels: MetricLabels; readonly value: T }> {
    return this.values.values()
  }
}

/** The metrics of a coordinator. Names are given without the prefix `conclave_`. */
export class Metrics {
  private readonly families: (() => MetricFamily)[] = []

  /** Counts events; the returned function adds to the count. */
  counter(name: string, help: string): (labels?: MetricLabels, by?: number) => void {
    const series = new Series(() => ({ count: 0 }))
    this.families.push(() => ({
      name,
      type: 'counter',
      help,
      samples: [...series.all()].map(({ labels, value }) => ({
        suffix: '_total',
        labels,
        value: value.count,
      })),
    }))
    return (labels = {}, by = 1) => {
      series.of(labels).count += by
    }
  }

  /** A value that is read when somebody asks. */
  gauge(
    name: string,
    help: string,
    read: () => number | Iterable<readonly [MetricLabels, number]>,
  ): void {
    this.families.push(() => {
      const found = read()
      const values = typeof found === 'number' ? [[{}, found] as const] : [...found]
      const samples = values.map(([labels, value]) => ({ suffix: '', labels, value }))
      return { name, type: 'gauge', help, samples }
    })
  }

  /** Durations in seconds; the returned function adds one. */
  histogram(name: string, help: string): (seconds: number, labels?: MetricLabels) => void {
    const series = new Series(() => ({ counts: BUCKETS.map(() => 0), count: 0, sum: 0 }))
    this.families.push(() => ({
      name,
      type: 'histogram',
      help,
      samples: [...series.all()].flatMap(({ labels, value: { counts, count, sum } }) => [
        ...BUCKETS.map((le, i) => bucket(labels, String(le), counts[i])),
        bucket(labels, '+Inf', count),
        { suffix: '_count', labels, value: count },
        { suffix: '_sum', labels, value: sum },
      ]),
    }))
    return (seconds, labels = {}) => {
      const value = series.of(labels)
      for (const [i, le] of BUCKETS.entries()) if (seconds <= le) value.counts[i]++
      value.count++
      value.sum += seconds
    }
  }

  snapshot(): MetricFamily[] {
    return this.families.map((family) => family())
  }
}

function bucket(labels: MetricLabels, le: string, value: number): MetricSample {
  return { suffix: '_bucket', labels: { ...labels, le }, value }
}

const PREFIX = 'conclave_'

/** Metrics in the text format that Prometheus and others read (OpenMetrics 1.0). */
export function openMetrics(families: readonly MetricFamily[]): string {
  const lines = families.flatMap(({ name, type, help, samples }) => [
    `# TYPE ${PREFIX}${name} ${type}`,
    ...(name.endsWith('_seconds') ? [`# UNIT ${PREFIX}${name} seconds`] : []),
    `# HELP ${PREFIX}${name} ${escaped(help)}`,
    ...samples.map(
      ({ suffix, labels, value }) =>
        `${PREFIX}${name}${suffix}${labelText(labels)} ${numberText(value)}`,
    ),
  ])
  return `${[...lines, '# EOF'].join('\n')}\n`
}

function labelText(labels: MetricLabels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replace(/[\\\n"]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
