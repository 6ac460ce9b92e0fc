export function run(
  n: number,
  beats: number,
): { vote: number; voted: number; heartbeat: number; heard: number }
