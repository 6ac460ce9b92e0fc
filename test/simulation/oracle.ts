import type { Machine, VirtualProcess } from './world/machine.ts'
import type { World } from './world/world.ts'

/** A term as the oracle sees it. */
interface ObservedTerm {
  readonly token: number
  /** Local milliseconds until its lease ends. */
  readonly remaining: number
}

/** What the oracle sees of a role at one process. */
export interface ObservedRole {
  leads(): boolean
  /** The term whose lease is valid at this instant; also while its work is told to end. */
  readonly term: ObservedTerm | null
}

/** One time that a process led. */
interface Leadership {
  readonly token: number
  readonly holder: string
  readonly process: VirtualProcess
  /** When the lease ends in real time, as it was last seen. */
  until: number
}

/** The steps of the clocks make the end of a lease, as it is seen before, uncertain by this. */
const COARSE = 30

/** A safety property does not hold; the message says which, and when. */
export class SafetyViolation extends Error {}

/**
 * The history of one role in real time. Leadership begins only when a process does something, so
 * it is enough to look then at this process, and if it leads, at all others.
 */
export class Oracle {
  readonly history: Leadership[] = []
  violation: SafetyViolation | null = null
  /** When somebody was last seen to lead. */
  lastLed = Number.NEGATIVE_INFINITY
  private highest: Leadership | null = null
  private readonly present = new Map<VirtualProcess, Leadership>()
  /** Work that goes on: by whom and in which term. */
  private readonly working = new Set<string>()
  private written: { readonly token: number; readonly holder: string } | null = null

  constructor(
    private readonly world: World,
    private readonly roles: ReadonlyMap<VirtualProcess, ObservedRole>,
  ) {}

  /** Called when somebody has begun to lead. */
  elected = () => {}

  /** A process has done something. */
  observe(machine: Machine): void {
    const { process } = machine
    const role = process === null ? undefined : this.roles.get(process)
    if (process === null || role === undefined) return
    const { term } = role
    if (role.leads() && term === null) this.fail(`${machine.name} leads without a term`)
    if (term === null) return
    this.lastLed = this.world.time
    this.refuseOthers(process, term.token)
    const until = this.world.time + term.remaining / machine.rate
    const known = this.present.get(process)
    if (known?.token === term.token) known.until = until
    else this.begin(process, term.token, until)
  }

  /** The application of a process begins or ends to work in a term. */
  works(process: VirtualProcess, token: number, working: boolean): void {
    const work = `${nameOf(process)} ${token}`
    if (working) this.working.add(work)
    else this.working.delete(work)
  }

  /** All processes are looked at, at a moment of no meaning to them. */
  probe(machines: readonly Machine[]): void {
    for (const machine of machines) this.observe(machine)
  }

  /** A leader's write arrives at the fence, which accepted or refused it. */
  wrote(token: number, process: VirtualProcess, accepted: boolean): void {
    const holder = nameOf(process)
    this.world.trace(`write of ${holder} with ${token} ${accepted ? 'accepted' : 'refused'}`)
    const role = this.roles.get(process)
    const leads = process.alive && role?.term?.token === token
    if (leads && !accepted) this.fail(`a write of ${holder} with token ${token} was refused`)
    if (!accepted) return
    const { written } = this
    if (written !== null && written.token > token)
      this.fail(`token ${token} was accepted after ${written.token}`)
    if (written?.token === token && written.holder !== holder)
      this.fail(`token ${token} was accepted from ${written.holder} and ${holder}`)
    this.written = { token, holder }
  }

  fail(what: string): void {
    const text = `at ${this.world.time.toFixed(3)} ms: ${what}`
    this.world.trace(`VIOLATION ${text}`)
    this.violation ??= new SafetyViolation(text)
  }

  private begin(process: VirtualProcess, token: number, until: number): void {
    const { highest } = this
    const holder = nameOf(process)
    this.world.trace(`${holder} leads with token ${token}`)
    if (highest !== null && token <= highest.token)
      this.fail(`${holder} leads with token ${token} after ${highest.holder} with ${highest.token}`)
    this.refuseWork(holder)
    const begun = { token, holder, process, until }
    this.history.push(begun)
    this.present.set(process, begun)
    this.elected()
    if (highest === null || token > highest.token) this.highest = begun
  }

  /** A lease that has not run out was released: then its work must have ended. */
  private refuseWork(successor: string): void {
    for (const { process, holder, token, until } of this.history)
      if (
        until - COARSE > this.world.time &&
        process.alive &&
        this.working.has(`${holder} ${token}`)
      )
        this.fail(`${successor} leads while ${holder} still works in term ${token}`)
  }

  private refuseOthers(process: VirtualProcess, token: number): void {
    for (const [other, role] of this.roles)
      if (other !== process && other.alive && role.term !== null)
        this.fail(
          `${nameOf(process)} leads with ${token}, ${nameOf(other)} with ${role.term.token}`,
        )
  }
}

function nameOf({ machine, number }: VirtualProcess): string {
  return `${machine.name}/${number}`
}
