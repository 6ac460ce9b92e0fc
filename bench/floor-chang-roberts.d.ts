export function run(
  ids: Int32Array,
  seed: number,
): { election: number; leader: number; leaderNode: number; elected: number; last: number }
