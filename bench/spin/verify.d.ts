export const FAST: readonly string[]
export function missing(): string | null
export function modelPath(name: string): string
export function verify(
  model: string,
  defines: readonly string[],
  limits: { flags: readonly string[]; seconds: number; memoryMB: number },
): Promise<{
  errors: number
  violated: string | undefined
  exhausted: boolean
  states: number
  memoryMB: number
  cpuSeconds: number
}>
