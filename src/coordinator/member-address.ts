import { parseAddress } from '../cluster/transports/address.ts'
import { quoted } from '../core/text-format.ts'
import { UsageError } from '../core/usage-error.ts'

/** Whether an address is the name of an SRV record: it says who is where, and by which port. */
export function isServiceName(address: string): boolean {
  return /^_[^:\s]+$/.test(address)
}

/** Refuses what cannot be dialled. Where members meet by name, the address is the name. */
export function checkMemberAddress(where: string, address: string, name?: string): void {
  if (name !== undefined) {
    if (address === name) return
    throw new UsageError(
      where,
      `${name} is found by its name, and not at ${quoted(address)}.`,
      `Write ${name} for the address too.`,
    )
  }
  if (isServiceName(address)) return
  try {
    parseAddress(address)
  } catch {
    throw new UsageError(
      where,
      `${quoted(address)} is neither a host with a port from 1 to 65535 nor an SRV record.`,
      'Write it like 10.0.0.1:7001, or _conclave._tcp.billing.example.org.',
    )
  }
}
