import { catalogue } from '../../../src/algorithms/index.ts'
import { type Algorithm, Complaint } from '../../../src/core/index.ts'
import { linksOf } from '../../../src/core/topology.ts'
import { realIds, type World } from '../../../src/core/world.ts'
import { type Given, prepare } from '../../../src/scenario/index.ts'
import { resultOf, type Simulation, simulate } from '../../../src/sim/index.ts'
import type { Answer, Request } from './protocol.ts'
import type { WorldFacts } from './run-log.ts'
import { Scribe } from './scribe.ts'

/** Simulated events between two chunks, and steps after which a run is cut. */
const SLICE = 20_000
const MOST_STEPS = 1_000_000

/** The newest request; an older one that still runs ends. */
let newest = 0

self.onmessage = ({ data }: MessageEvent<Request>) => {
  newest = data.request
  void answer(data)
}

async function answer({ request, scenario }: Request): Promise<void> {
  const tell = (message: object) => self.postMessage({ request, ...message } as Answer)
  try {
    const preparation = prepare(scenario, algorithmNamed(scenario), (field) => field)
    const { world, conditions, properties } = preparation
    const { algorithm } = world
    const types = [
      ...algorithm.kinds.map(({ name }) => name),
      ...algorithm.alarms.map(({ name }) => name),
    ]
    const unit = conditions.synchronous ? 'round' : 'time'
    tell({ what: 'begun', scenario: preparation.scenario, world: factsOf(world, unit, types) })
    let simulation!: Simulation
    const scribe = new Scribe(() => simulation, types)
    simulation = simulate(world, conditions, properties, { trace: (event) => scribe.record(event) })
    let ending = null
    while (ending === null && scribe.steps < MOST_STEPS) {
      ending = simulation.run(SLICE)
      scribe.closeStep()
      tell({ what: 'chunk', chunk: scribe.take() })
      await new Promise((resolve) => setTimeout(resolve))
      if (request !== newest) return
    }
    const cut = ending === null
    tell({ what: 'ended', result: resultOf(simulation, ending ?? 'limit'), cut })
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    tell({ what: 'refused', message: error.message, field: error.where })
  }
}

function algorithmNamed({ algorithm: name }: Given): Algorithm {
  const found = catalogue.find((algorithm) => algorithm.name === name)
  if (found) return found
  throw new Complaint(
    'algorithm',
    'a name of the catalogue is needed',
    `${name} was given`,
    'Pick one.',
  )
}

function factsOf(world: World, unit: WorldFacts['unit'], types: readonly string[]): WorldFacts {
  const { algorithm, topology } = world
  return {
    algorithm: algorithm.name,
    topology: topology.name,
    kind: topology.kind,
    n: topology.n,
    ids: algorithm.needs.ids === undefined ? null : Float64Array.from(realIds(world)),
    edges: topology.kind === 'graph' ? edgesOf(world) : new Int32Array(0),
    places: topology.places ?? null,
    unit,
    types,
    messageTypes: algorithm.kinds.length,
  }
}

function edgesOf({ topology }: World): Int32Array {
  const pairs: number[] = []
  for (let node = 0; node < topology.n; node++)
    for (const link of linksOf(topology, node)) {
      const other = topology.neighbor(node, link)
      if (node < other) pairs.push(node, other)
    }
  return Int32Array.from(pairs)
}
