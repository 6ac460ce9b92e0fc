import { type Aggregation, isAggregation } from '../algorithms/aggregation.ts'
import type { Algorithm } from '../core/index.ts'
import { type Preparation, prepareElection } from './election/prepare-election.ts'
import { type AggregationPreparation, prepareGossip } from './gossip/prepare-gossip.ts'
import type { FieldLocator, ScenarioInput } from './scenario.ts'

/** Reads a scenario, rejects what is impossible, and builds the world and its conditions. */
export function prepare(
  given: ScenarioInput,
  what: Algorithm,
  where: FieldLocator,
  readFile?: (path: string) => string,
): Preparation
export function prepare(
  given: ScenarioInput,
  what: Aggregation,
  where: FieldLocator,
  readFile?: (path: string) => string,
): AggregationPreparation
export function prepare(
  given: ScenarioInput,
  what: Algorithm | Aggregation,
  where: FieldLocator,
  readFile?: (path: string) => string,
): Preparation | AggregationPreparation
export function prepare(
  given: ScenarioInput,
  what: Algorithm | Aggregation,
  where: FieldLocator,
  readFile?: (path: string) => string,
): Preparation | AggregationPreparation {
  return isAggregation(what)
    ? prepareGossip(given, what, where, readFile)
    : prepareElection(given, what, where, readFile)
}
