export class Delays {
  constructor(seed: number)
  /** An integer from 1 to 10. */
  draw(): number
}
