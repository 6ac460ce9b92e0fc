import type { Topology } from '../../language/topology.ts'
import { type DiameterRange, exactly } from './diameter-range.ts'
import { DistanceSearch } from './distance-search.ts'
import { FarNodesDiameter } from './far-nodes.ts'
import { ManySourceDiameter } from './many-source-diameter.ts'

/** An exact diameter may take this many steps, some seconds. */
const MOST_WORK = 2e9
/** The same where a step is one of a pass over all links in a row. */
const MOST_WORK_IN_PASSES = 8e9
/** Up to this largest distance from a node, passes over all links are less work than searches. */
const SHALLOW = 32

/**
 * The diameter of a network: the largest distance of two nodes; infinite where it is not connected.
 * Regular networks have a formula. Elsewhere it is found by searches from a few nodes where that is
 * possible, and only bounded where it would take too long.
 */
export function diameterOf(topology: Topology, mostWork?: number): DiameterRange {
  const { diameter, n } = topology
  if (diameter !== undefined) return exactly(diameter)
  if (n <= 1) return exactly(0)
  return new DistanceSearch(topology).from(0) <= SHALLOW
    ? new ManySourceDiameter(topology, mostWork ?? MOST_WORK_IN_PASSES).range()
    : new FarNodesDiameter(topology, mostWork ?? MOST_WORK).range()
}
