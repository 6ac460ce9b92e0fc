/** What goes round the positions to find out whether all is quiet: Safra's token. */
export interface TerminationToken {
  /** Messages sent and received by the members that it has visited. */
  readonly sent: number
  readonly received: number
  /** Whether one of them had received a message since the visit before. */
  readonly black: boolean
}

const FRESH: TerminationToken = { sent: 0, received: 0, black: false }

/**
 * One member's part in detecting the end, by Safra's method (Dijkstra, EWD 998, 1987). Position 0
 * sends a token round. It waits at each member until that one is passive, and adds up what was sent
 * and received. If it comes home with nothing missing, and nobody has received anything behind its
 * back, then nobody is active and nothing is in flight: no message, however slow, is overlooked.
 */
export class TerminationDetector {
  private sent = 0
  private received = 0
  private black = false
  private token: TerminationToken | null = null
  private probing = false

  constructor(private readonly initiator: boolean) {}

  messageSent(): void {
    this.sent++
  }

  messageReceived(): void {
    this.received++
    this.black = true
  }

  /** Position 0 sends out a first token; to be called as soon as something has happened. */
  begin(): TerminationToken | null {
    if (!this.initiator || this.probing) return null
    this.probing = true
    return this.probe()
  }

  /** The token has come here; false where none can be on its way. */
  hold(token: TerminationToken): boolean {
    const possible = this.token === null && (this.probing || !this.initiator)
    if (possible) this.token = token
    return possible
  }

  /** What to pass on, now that this member is passive: a token, that all is quiet, or nothing. */
  advance(): TerminationToken | 'quiet' | null {
    if (this.token === null) return null
    const { sent, received, black } = this.token
    this.token = null
    const sum = {
      sent: sent + this.sent,
      received: received + this.received,
      black: black || this.black,
    }
    if (!this.initiator) {
      this.black = false
      return sum
    }
    if (sum.black || sum.sent !== sum.received) return this.probe()
    this.probing = false
    return 'quiet'
  }

  private probe(): TerminationToken {
    this.black = false
    return FRESH
  }
}
