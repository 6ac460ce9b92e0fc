/**
 * The t for which Student's distribution lies within plus and minus t with this probability. For
 * whole degrees of freedom the distribution is a finite sum, so no approximation is needed; it is
 * turned round by halving the angle whose tangent is t / sqrt(degrees).
 */
export function studentT(within: number, degrees: number): number {
  let [low, high] = [0, Math.PI / 2]
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return Math.sqrt(degrees) * Math.tan(middle)
    if (probabilityWithin(middle, degrees) < within) low = middle
    else high = middle
  }
}

/** Abramowitz and Stegun, 1964, 26.7.3 (odd degrees) and 26.7.4 (even ones). */
function probabilityWithin(angle: number, degrees: number): number {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const odd = degrees % 2 === 1
  let term = odd ? cosine : 1
  let sum = 0
  for (let power = odd ? 1 : 0; power <= degrees - 2 && term > 0; power += 2) {
    sum += term
    term *= cosine * cosine * ((power + 1) / (power + 2))
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum
}
