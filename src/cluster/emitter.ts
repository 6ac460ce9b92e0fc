import { EventEmitter } from 'node:events'

/** Events by name, each with the arguments that its listeners get. */
type EventMap = Record<string, readonly unknown[]>

/** What an emitter offers, declared here: users need no declarations of Node.js for it. */
export interface Emitter<Events extends EventMap> {
  on<Name extends keyof Events>(name: Name, listener: (...args: Events[Name]) => void): this
  once<Name extends keyof Events>(name: Name, listener: (...args: Events[Name]) => void): this
  off<Name extends keyof Events>(name: Name, listener: (...args: Events[Name]) => void): this
  emit<Name extends keyof Events>(name: Name, ...args: Events[Name]): boolean
}

export const Emitter = EventEmitter as unknown as new <Events extends EventMap>() => Emitter<Events>
