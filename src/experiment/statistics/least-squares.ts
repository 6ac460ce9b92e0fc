import { Matrix, SingularValueDecomposition } from 'ml-matrix'

export interface Solution {
  readonly values: readonly number[]
  /** The share of every equation in every unknown: a row for each unknown. */
  readonly shares: readonly (readonly number[])[]
  /** What is left of the goal. */
  readonly residuals: readonly number[]
}

/** A smaller ratio of singular values counts as linear dependence. */
const SINGULAR = 1e-12

/**
 * Linear least squares by singular value decomposition. Columns are normalised first, because n^3
 * and a constant differ by many orders of magnitude. Null if the system is singular.
 */
export function leastSquares(
  columns: readonly (readonly number[])[],
  goal: readonly number[],
): Solution | null {
  if (goal.length < columns.length) return null
  const lengths = columns.map(lengthOf)
  if (!lengths.every((length) => length > 0 && Number.isFinite(length))) return null
  const design = new Matrix(
    goal.map((_, row) => columns.map((column, i) => column[row] / lengths[i])),
  )
  const { leftSingularVectors, rightSingularVectors, diagonal } = new SingularValueDecomposition(
    design,
    { autoTranspose: true },
  )
  if (Math.min(...diagonal) <= SINGULAR * Math.max(...diagonal)) return null
  const parts = diagonal.map(
    (singular, k) => dot(leftSingularVectors.getColumn(k), goal) / singular,
  )
  const scaled = lengths.map((_, i) => dot(rightSingularVectors.getRow(i), parts))
  const spreads = lengths.map((length, i) =>
    rightSingularVectors.getRow(i).map((entry, k) => entry / diagonal[k] / length),
  )
  return {
    values: scaled.map((value, i) => value / lengths[i]),
    shares: spreads.map((spread) =>
      goal.map((_, row) => dot(leftSingularVectors.getRow(row), spread)),
    ),
    residuals: goal.map((wanted, row) => wanted - dot(design.getRow(row), scaled)),
  }
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0)
}

/** Avoids overflow of squares. */
function lengthOf(column: readonly number[]): number {
  const largest = column.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (largest === 0 || !Number.isFinite(largest)) return largest
  const shares = column.map((value) => value / largest)
  return largest * Math.sqrt(dot(shares, shares))
}
