import { describe, expect, it } from 'vitest'
import { requireMemory } from './run-job.ts'

const GB = 2 ** 30

describe('the memory of a run', () => {
  const told = (n: number, bytes: number, progress = true) => {
    const lines: string[] = []
    const io = { err: (text: string) => lines.push(text), progress } as never
    requireMemory({ n, name: `ring:${n}` }, () => bytes, io, 4 * GB)
    return lines.join('')
  }

  it('is said beforehand where there are many nodes and a terminal', () => {
    expect(told(1_000_000, GB)).toBe('ring:1000000: 1,000,000 nodes take about 1 GB of memory\n')
    expect(told(1_000_000, GB, false)).toBe('')
    expect(told(999_999, GB)).toBe('')
  })

  it('is refused where the machine has less', () => {
    expect(() => told(50_000_000, 5.04 * GB)).toThrow(
      'conclave run: ring:50000000: 50,000,000 nodes need about 5 GB of memory, but only 4 GB are free.',
    )
  })
})
