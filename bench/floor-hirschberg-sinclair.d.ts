export function run(
  ids: Int32Array,
  seed: number,
): {
  probe: number
  reply: number
  leader: number
  leaderNode: number
  elected: number
  last: number
  /** What the phases and hops of all messages take in binary. */
  natBits: number
}
