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

/**
 * Calls all listeners, also if one throws: its error must not change what the emitter does. It goes
 * to the listeners of `error`; without any it is thrown on its own, as an uncaught exception.
 */
class SafeEmitter extends EventEmitter {
  override emit(name: string, ...args: unknown[]): boolean {
    const listeners = this.rawListeners(name)
    for (const listener of listeners) {
      try {
        Reflect.apply(listener, this, args)
      } catch (error) {
        this.report(name, error)
      }
    }
    return listeners.length > 0
  }

  private report(name: string, error: unknown): void {
    if (name !== 'error' && this.listenerCount('error') > 0) this.emit('error', error)
    else
      process.nextTick(() => {
        throw error
      })
  }
}

export const Emitter = SafeEmitter as unknown as new <Events extends EventMap>() => Emitter<Events>
