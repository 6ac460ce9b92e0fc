import { describe, expect, it } from 'vitest'
import type { State, World } from '../../../src/core/index.ts'
import { pendulum, randomProtocols } from '../../support/random-protocols.ts'
import { referenceCheck } from '../../support/reference-checker.ts'
import { type Flaws, reduced } from '../../support/reference-reduction.ts'
import { textOf } from '../../support/reference-state.ts'

/** The naive checker takes too long for worlds with more states. */
const FEW_STATES = 120
const PROTOCOLS = 100

/** The results of a naive search: quiescent states with all nodes awake, and local states. */
function seen(world: World, flaws: Flaws | null) {
  const locals = new Set<string>()
  const ends = new Set<string>()
  const see = (states: readonly State[], quiet: boolean) => {
    for (const [node, state] of states.entries()) locals.add(`${node}: ${textOf(state)}`)
    const awake = states.every(({ status }) => status !== 'asleep')
    if (quiet && awake) ends.add(states.map(textOf).join())
  }
  const among = flaws && { among: reduced(world, flaws) }
  const { states } = referenceCheck(world, { wake: 'any', ...among }, see)
  return { states, locals, ends }
}

describe('persistent sets in the reference reduction', () => {
  const worlds = [...randomProtocols(PROTOCOLS, FEW_STATES)].map(({ seed, world }) => ({
    seed,
    world,
    whole: seen(world, null),
  }))
  const seenSo = (flaws: Flaws) =>
    worlds.map(({ seed, world, whole }) => {
      const { states, locals, ends } = seen(world, flaws)
      const same = textOf([locals, ends]) === textOf([whole.locals, whole.ends])
      return { seed, same, left: whole.states - states }
    })

  it('are tried on protocols that end in more ways than one', () => {
    expect(worlds.filter(({ whole }) => whole.ends.size > 1).length).toBeGreaterThan(PROTOCOLS / 4)
  })

  it('preserve quiescent states and local states', () => {
    const results = seenSo({})
    expect(results.filter(({ same }) => !same).map(({ seed }) => seed)).toEqual([])
    expect(results.filter(({ left }) => left > 0)).not.toEqual([])
  })

  it('do not if possible senders are ignored', () => {
    const wrong = seenSo({ open: true }).filter(({ same }) => !same)
    expect(wrong.length).toBeGreaterThan(PROTOCOLS / 10)
  })

  it('do not without the cycle proviso', () => {
    const [whole, sound, endless] = [null, {}, { endless: true as const }].map((flaws) =>
      seen(pendulum(), flaws),
    )
    expect(sound.locals).toEqual(whole.locals)
    expect(endless.locals.size).toBeLessThan(whole.locals.size)
  })
})
