export { type Address, addressText, parseAddress } from './address.ts'
export type { AggregateOptions } from './aggregates.ts'
export {
  type Assembled,
  type AssemblyOptions,
  runInMemory,
  runOnLoopback,
  seatOf,
} from './assembly.ts'
export type { Watch } from './failure-detector.ts'
export { estimateOf, LiveAggregate } from './live-aggregate.ts'
export type { Offer } from './live-input.ts'
export { type Ending, Member } from './member.ts'
export type { MemberOptions } from './membership.ts'
export type { Counts } from './station.ts'
export type { Introduction, Receiver, Transport } from './transport.ts'
export type { TcpLink } from './transports/line.ts'
export { Listener } from './transports/listener.ts'
export { type MemoryTransport, memoryNetwork } from './transports/memory.ts'
export { type TcpOptions, tcpLinks, tcpTransport } from './transports/tcp.ts'
