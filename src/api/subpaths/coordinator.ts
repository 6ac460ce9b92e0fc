/**
 * A coordinator: roles that at most one member leads at a time, guarded by a quorum lease. `nats`
 * loads its client when a member joins.
 */
export { type Clock, systemClock, type TimerHandle } from '../../cluster/clock.ts'
export type { StreamTransport } from '../../cluster/index.ts'
export type { ConfigurationVersion } from '../../cluster/mesh/peer.ts'
export type {
  Network,
  Stream,
  StreamListener,
  StreamServer,
  TlsCredentials,
} from '../../cluster/mesh/stream.ts'
export { coordinator, systemEnvironment } from '../../coordinator/coordinator.ts'
export type { Duration } from '../../coordinator/duration.ts'
export type { Disk, Environment } from '../../coordinator/environment.ts'
export type { MemberKind } from '../../coordinator/membership/configuration.ts'
export type { GivenMember, MembershipChange } from '../../coordinator/membership/host.ts'
export type {
  CloseOptions,
  CoordinatorNode,
  Leader,
  LeaderTerm,
  NodeEvents,
  ResignOptions,
  Role,
  RoleEvents,
  WaitOptions,
} from '../../coordinator/node.ts'
export {
  LOG_LEVELS,
  type LogEntry,
  type LogFields,
  type LogHook,
  type LogLevel,
} from '../../coordinator/operations/log.ts'
export {
  type MetricFamily,
  type MetricLabels,
  openMetrics,
} from '../../coordinator/operations/metrics.ts'
export type {
  ConfigurationStatus,
  CoordinatorStatus,
  MemberStatus,
  RoleStatus,
} from '../../coordinator/operations/status.ts'
export {
  type CoordinatorOptions,
  type LeaseOptions,
  type MemberAddress,
  PRESETS,
  type Preset,
  type RoleOptions,
} from '../../coordinator/options.ts'
export {
  Fence,
  type FenceStore,
  type FencingToken,
  StaleToken,
} from '../../coordinator/storage/fence.ts'
export type { NatsTlsFiles } from '../../nats/options.ts'
export { type NatsTransportOptions, nats } from '../../nats/transport.ts'
