import type { TimerHandle } from '../../cluster/clock.ts'
import { UsageError } from '../../core/usage-error.ts'
import { isDone, type RequestedChange, requestedChange } from './change-rules.ts'
import type { Configuration } from './configuration.ts'
import { Abandoned } from './gathering.ts'
import type { MembershipChange } from './host.ts'
import { hex } from './member-store.ts'
import type { Membership } from './membership.ts'
import type { MembershipMessageOf } from './messages.ts'
import { type PendingChange, Proposer } from './proposer.ts'

/** Changes that are asked for here or by others. The holder of `members` carries them out. */
export class ChangeRequests {
  /** Asked for at this member: sent to the holder, again and again, until it answers. */
  private readonly own = new Map<string, PendingChange>()
  /** To be carried out by this member. */
  private readonly waiting: PendingChange[] = []
  private proposer: Proposer | null = null
  private running = false
  private timer: TimerHandle = null
  private closed = false

  constructor(private readonly membership: Membership) {}

  request(change: MembershipChange, signal?: AbortSignal): Promise<Configuration> {
    const { membership } = this
    return new Promise((resolve, reject) => {
      const { configuration, options } = membership
      const requested = requestedChange(change, configuration, options.byName)
      if (membership.mine === undefined)
        throw new UsageError('change', `${membership.why}.`, 'Ask one of the members.')
      signal?.throwIfAborted()
      const id = hex(membership.environment.randomBytes(8))
      const aborted = () => finish(() => reject(signal!.reason))
      const finish = (end: () => void) => {
        if (!this.own.delete(id)) return
        signal?.removeEventListener('abort', aborted)
        end()
      }
      signal?.addEventListener('abort', aborted)
      const settle = (problem: string) =>
        finish(() => {
          if (problem === '') resolve(membership.configuration!)
          else reject(new UsageError('change', problem))
        })
      this.own.set(id, { id, ...requested, settle })
      this.repeat()
    })
  }

  /** Another member passes a change on. */
  requested(from: string, { id, add, remove }: MembershipMessageOf<'change'>): void {
    if (this.membership.host.heldTerm() === null) return
    const settle = (problem: string) => this.membership.send(from, { type: 'changed', id, problem })
    this.submit({ id, add, remove, settle })
  }

  answered({ id, problem }: MembershipMessageOf<'changed'>): void {
    this.own.get(id)?.settle(problem)
  }

  /** This member has left: nobody will answer it any more. */
  left(configuration: Configuration): void {
    for (const change of [...this.own.values()]) {
      const done = isDone(configuration, change)
      change.settle(done ? '' : 'This member was removed meanwhile; ask one of the others.')
    }
  }

  /** Carries out what waits, if this member holds the role. */
  serve(): void {
    const { membership } = this
    const term = membership.host.heldTerm()
    const joint = (membership.configuration?.old ?? null) !== null
    if (this.running || this.closed || term === null) return
    if (this.waiting.length === 0 && !joint) return
    if (this.proposer?.term !== term) this.proposer = new Proposer(membership, term)
    this.running = true
    void this.proposer
      .run(() => this.waiting[0])
      .then(
        () => {
          this.running = false
          this.serve()
        },
        (error) => {
          this.running = false
          if (!(error instanceof Abandoned)) return membership.fail((error as Error).message)
          // Those who asked ask again: this member, or another, begins anew.
          this.waiting.length = 0
          void membership.times.sleep(membership.interval).then(() => this.serve())
        },
      )
  }

  close(): void {
    this.closed = true
    this.membership.environment.clock.clearTimeout(this.timer)
    for (const { settle } of [...this.own.values()]) settle('The member was closed meanwhile.')
  }

  private submit(change: PendingChange): void {
    if (this.waiting.some(({ id }) => id === change.id)) return
    const settle = (problem: string) => {
      this.waiting.splice(this.waiting.indexOf(pending), 1)
      change.settle(problem)
    }
    const pending = { ...change, settle }
    this.waiting.push(pending)
    this.serve()
  }

  private repeat(): void {
    const { clock } = this.membership.environment
    const { host, interval } = this.membership
    clock.clearTimeout(this.timer)
    if (this.own.size === 0 || this.closed) return
    for (const change of this.own.values()) {
      const holder = host.holder()
      if (host.heldTerm() !== null) this.submit(change)
      else if (holder !== null) this.membership.send(holder, changeMessage(change))
    }
    this.timer = clock.setTimeout(() => this.repeat(), interval)
  }
}

function changeMessage({ id, add, remove }: RequestedChange & { readonly id: string }) {
  return { type: 'change' as const, id, add, remove }
}
