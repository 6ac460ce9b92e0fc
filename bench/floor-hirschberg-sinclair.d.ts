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
  natBits: number
}
