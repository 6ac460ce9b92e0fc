/** Times are in seconds. */
export interface QueueStudy {
  readonly machines: number
  readonly parallel: number
  readonly jobs: number
  readonly duration: number
  /** The duration differs by at most this share. */
  readonly spread: number
  readonly batch: number
  readonly window: number
  readonly delay: number
  readonly caller: { readonly batch: number; readonly job: number }
  readonly server: { readonly batch: number; readonly job: number }
}

export function simulateStudy(study: QueueStudy): {
  readonly seconds: number
  readonly rate: number
  readonly workers: number
  readonly caller: number
  readonly server: number
}

export function largestRates(study: QueueStudy): Record<'workers' | 'caller' | 'server', number>
