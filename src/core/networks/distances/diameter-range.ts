/** What is known about a diameter. Both are equal where it is known exactly. */
export interface DiameterRange {
  readonly least: number
  readonly most: number
}

export function exactDiameter(diameter: number): DiameterRange {
  return { least: diameter, most: diameter }
}
