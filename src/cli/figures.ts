/** A number with five digits, as short as it can be read. */
export function figure(value: number | null): string {
  if (value === null) return '-'
  const short = Number(value.toPrecision(5))
  const plain = short === 0 || (Math.abs(short) >= 1e-3 && Math.abs(short) < 1e9)
  return plain ? String(short) : short.toExponential()
}

export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(4))} %`
}
