import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { parseJsonDocument } from '../../scenario/json-document.ts'
import { readText } from './read-file.ts'

/** The JSON object in a file, which may have comments. */
export function readJsonObject(path: string): Record<string, unknown> {
  const value = parseJsonDocument(readText(path), path)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  const found = Array.isArray(value) ? 'an array' : quoted(value)
  throw new UsageError(
    path,
    `expected a JSON object, got ${found}.`,
    'Write for example {"algorithm": "lcr"}.',
  )
}
