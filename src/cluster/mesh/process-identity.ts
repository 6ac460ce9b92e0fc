/** A process of one machine: no other one has the same identity, also not later. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in clock ticks since the boot. */
  readonly start: string
  readonly boot: string
  readonly namespace: string
}

/** The processes of this machine. A simulation provides a virtual one. */
export interface ProcessTable {
  /** The identity of this process; null where the system does not tell it. */
  own(): ProcessIdentity | null
  /** Whether that very process is seen alive here: same boot, same namespace, same start. */
  sees(identity: ProcessIdentity): boolean
  /** Whether a process that was seen here is certainly gone: it executes nothing any more. */
  gone(identity: ProcessIdentity): boolean
}
