/** Orders of ids on a ring at which an algorithm takes most or fewest messages, all starting. */
interface Extremes {
  readonly worst?: Arrangement
  readonly best?: Arrangement
}

interface Arrangement {
  readonly ids: 'increasing' | 'decreasing' | 'bit-reversal'
  /** Where it is known. */
  readonly powersOfTwo?: true
}

const BIT_REVERSAL = { ids: 'bit-reversal', powersOfTwo: true } as const

/** What theory knows of them; tests ask all arrangements of small rings. */
const EXTREMES: Readonly<Record<string, Extremes>> = {
  lcr: { worst: { ids: 'decreasing' }, best: { ids: 'increasing' } },
  'chang-roberts': { worst: { ids: 'decreasing' }, best: { ids: 'increasing' } },
  'hirschberg-sinclair': { best: { ids: 'increasing' } },
  'hirschberg-sinclair-one-way': { worst: { ids: 'decreasing' }, best: { ids: 'increasing' } },
  peterson: { worst: BIT_REVERSAL, best: { ids: 'increasing' } },
  franklin: { worst: BIT_REVERSAL, best: { ids: 'increasing' } },
}

/** The ids with which a ring of this size costs most, or least; null where nobody knows. */
export function extremeIds(
  algorithm: string,
  which: keyof Extremes,
  n: number,
): Arrangement['ids'] | null {
  const known = EXTREMES[algorithm]?.[which]
  if (known === undefined) return null
  return known.powersOfTwo && !Number.isInteger(Math.log2(n)) ? null : known.ids
}
