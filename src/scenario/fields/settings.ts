/** What was set, by name: `patience=3`, several of them, or a JSON object. */
export function settingPairs(value: unknown): [name: string, setting: unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value)
  return (Array.isArray(value) ? value : [value]).map((entry) => {
    const [name, ...rest] = String(entry).split('=')
    return [name, rest.join('=')]
  })
}
