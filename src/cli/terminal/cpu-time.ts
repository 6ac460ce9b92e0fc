/** The processor time that this process has taken so far, all its threads together. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function explorationSpeed(states: number, cpuMs: number) {
  return { cpuMs, statesPerSecond: Math.round((states / cpuMs) * 1000) }
}
