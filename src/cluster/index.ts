export type { Offer } from './aggregate-input.ts'
export type { AggregateOptions } from './aggregates.ts'
export type { Watch } from './failure-detector.ts'
export { estimateOf, LiveAggregate } from './live-aggregate.ts'
export {
  type Assembled,
  type AssemblyOptions,
  runInMemory,
  runOnLoopback,
  seatOf,
} from './local-cluster.ts'
export { type Ending, Member } from './member.ts'
export type { MemberOptions } from './member-options.ts'
export type { Counts } from './node-driver.ts'
export { type Address, addressText, parseAddress } from './transports/address.ts'
export { Listener } from './transports/listener.ts'
export { type MemoryTransport, memoryNetwork } from './transports/memory.ts'
export { type TcpOptions, tcpLinks, tcpTransport } from './transports/tcp.ts'
export type { TcpLink } from './transports/tcp-link.ts'
export type { Introduction, Receiver, Transport } from './transports/transport.ts'
