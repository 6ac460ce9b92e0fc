import { wrapped } from '../../core/text-format.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { type Colours, WIDTH } from './format.ts'

/** The title and the notes of a scenario file, above its report. */
export function remarkLines({ title, notes }: ScenarioInput, paint: Colours): string[] {
  const lines = [
    ...(typeof title === 'string' ? wrapped(title, WIDTH).map((line) => paint.bold(line)) : []),
    ...(typeof notes === 'string'
      ? notes.split('\n').flatMap((line) => (line === '' ? [''] : wrapped(line, WIDTH)))
      : []),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}
