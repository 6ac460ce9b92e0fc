/** Where nodes were put by hand, in the unit square, x and y by turns, by the name of a network. */
const drawn = new Map<string, Float64Array>()

export function keepPlaces(network: string, places: Float64Array): void {
  drawn.set(network, places)
}

/** The places of a network that was drawn on this page; null for any other. */
export function placesOf(network: string): Float64Array | null {
  return drawn.get(network) ?? null
}
