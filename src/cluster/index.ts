/**
 * Elections and aggregates between real processes. A `Member` runs an algorithm of core over a
 * transport (TCP or memory), with a heartbeat failure detector or with Safra's termination
 * detection. In: an algorithm, a position and a transport. Out: outcomes, message counts and
 * estimates. The command line and users import this index; it imports core and algorithms.
 */
export type { AggregateSource } from './aggregate-input.ts'
export type { AggregateOptions } from './aggregates.ts'
export type { HeartbeatOptions } from './failure-detector.ts'
export { estimateOf, foundOf, LiveAggregate } from './live-aggregate.ts'
export {
  type LocalClusterOptions,
  type LocalClusterResult,
  memberOptionsOf,
  runInMemory,
  runOnLoopback,
} from './local-cluster.ts'
export { Member, type MemberEnd } from './member.ts'
export type { MemberOptions } from './member-options.ts'
export { fileStorage, stableStorage } from './node/file-storage.ts'
export type { MessageCounts } from './node/message-counter.ts'
export type { NodeOptions, StableStorage } from './node/node-options.ts'
export { memberNetwork } from './shared-settings.ts'
export { DEFAULT_TIMING, GOSSIP_TIMING, type MemberTiming, memberTiming } from './timing.ts'
export { type Address, addressText, parseAddress, parseAddresses } from './transports/address.ts'
export { type MemoryTransport, memoryNetwork } from './transports/memory.ts'
export { type StreamTransport, transportThrough } from './transports/stream-transport.ts'
export {
  Listener,
  type TcpLink,
  type TcpOptions,
  tcpLinks,
  tcpTransport,
} from './transports/tcp.ts'
export type { FrameReceiver, LinkIdentity, Transport } from './transports/transport.ts'
