/** The host in the text of an address, with or without a port: `[::1]:7001`, `10.0.0.1:7001`. */
export function hostOf(text: string): string {
  const [, ipv6] = /^\[(.*)\](?::\d+)?$/.exec(text) ?? []
  if (ipv6 !== undefined) return ipv6
  const colons = text.split(':').length - 1
  return colons === 1 ? text.slice(0, text.indexOf(':')) : text
}

/** Whether an address is one of this machine that no other machine can reach. */
export function isLoopback(text: string): boolean {
  const host = hostOf(text)
    .toLowerCase()
    .replace(/^::ffff:/, '')
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
