/** Members that meet on a server of NATS, for `join` and `coordinator`. */
export type { StreamTransport } from '../../cluster/index.ts'
export type { NatsTlsFiles } from '../../nats/options.ts'
export { type NatsTransportOptions, nats } from '../../nats/transport.ts'
