/** Safra's token, which goes around all positions. */
export interface TerminationToken {
  /** Messages sent and received by the members that it visited. */
  readonly sent: number
  readonly received: number
  /** Whether one of them received a message since the visit before. */
  readonly black: boolean
}

const FRESH: TerminationToken = { sent: 0, received: 0, black: false }

/**
 * Termination detection by Safra's algorithm (Dijkstra, EWD 998, 1987), for one member. Position 0
 * sends a token around. The token waits at each member until that member is passive, and adds up
 * the messages sent and received. If it returns white and with equal sums, no member is active and
 * no message is in flight.
 */
export class TerminationDetector {
  private sent = 0
  private received = 0
  private black = false
  private token: TerminationToken | null = null
  private tokenSent = false

  constructor(private readonly initiator: boolean) {}

  messageSent(): void {
    this.sent++
  }

  messageReceived(): void {
    this.received++
    this.black = true
  }

  /** Position 0 sends out the first token when the election has become active. */
  start(): TerminationToken | null {
    if (!this.initiator || this.tokenSent) return null
    this.tokenSent = true
    return this.newToken()
  }

  /** The token arrived; false if there cannot be one. */
  receiveToken(token: TerminationToken): boolean {
    const expected = this.token === null && (this.tokenSent || !this.initiator)
    if (expected) this.token = token
    return expected
  }

  /** This member is passive: returns the token to pass on, `quiet` at the end, or null. */
  passOn(): TerminationToken | 'quiet' | null {
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
    if (sum.black || sum.sent !== sum.received) return this.newToken()
    this.tokenSent = false
    return 'quiet'
  }

  private newToken(): TerminationToken {
    this.black = false
    return FRESH
  }
}
