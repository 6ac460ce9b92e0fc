import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { proofReport } from '../../../src/api/prove.ts'
import { useEvidenceOf } from '../../../src/compiler/checks/id-evidence.ts'
import { ownProgram } from '../../../src/compiler/own-program.ts'
import { SourceFiles } from '../../../src/compiler/source-files.ts'
import { placeText } from '../../../src/compiler/source-place.ts'
import { loadTypeScript } from '../../../src/compiler/typescript.ts'
import { Random } from '../../../src/core/index.ts'
import { type UseEvidence, unshownIn } from '../../../src/core/language/validation/only-compared.ts'
import { sample } from '../../support/campaign.ts'
import {
  evaluated,
  MISUSED,
  WAYS,
  type WrongDefinition,
  wrongDefinition,
} from '../../support/prove/wrong-definitions.ts'
import { simulate } from '../../support/random-worlds.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const typescript = await loadTypeScript()

/** Source texts in place of files. */
class TextFiles extends SourceFiles {
  constructor(private readonly given: Readonly<Record<string, string>>) {
    super()
  }

  override read(path: string): string | undefined {
    return this.given[path] ?? super.read(path)
  }

  override exists(path: string): boolean {
    return path in this.given || super.exists(path)
  }
}

/** What sources show, each as a file of its own; they share what they import. */
function evidenceOf(
  sources: readonly Pick<WrongDefinition, 'source' | 'language'>[],
): UseEvidence[] {
  const paths = sources.map(({ language }, i) => join(root, `wrong-${i}.${language}`))
  const all = join(root, 'all-wrong.ts')
  const files = new TextFiles({
    [all]: paths.map((path) => `import '${path}'\n`).join(''),
    ...Object.fromEntries(paths.map((path, i) => [path, sources[i].source])),
  })
  const { ts, program } = ownProgram(typescript, all, files, true)
  return paths.map((path) =>
    useEvidenceOf({ ts, program, own: [program.getSourceFile(path)!] }, placeText),
  )
}

const random = Random.from(31).split('wrong definitions')
const all = MISUSED.flatMap((misused) =>
  WAYS.flatMap((way) =>
    (['ts', 'js'] as const).flatMap(
      (language) => wrongDefinition(misused, way, language, random) ?? [],
    ),
  ),
)

describe('the same definitions without the condition', () => {
  const never = { name: 'nothing', ts: () => 'false', js: () => 'false' }
  const right = MISUSED.flatMap((misused) =>
    (['ts', 'js'] as const).flatMap(
      (language) => wrongDefinition(misused, never, language, random) ?? [],
    ),
  ).filter(({ what }) => /^(id|term):/.test(what))
  const evidence = evidenceOf(right)

  it.each(right.map(({ what, language }, i) => [what, language, i] as const))(
    'show that they only compare: %s, %s',
    (_, __, i) => {
      const definition = evaluated(typescript.ts, right[i])
      expect(unshownIn(definition, evidence[i])).toEqual([])
      const { verdict } = proofReport(definition, evidence[i], { explore: false })
      expect(verdict).toBe('proved')
    },
  )
})

describe('definitions that do more than compare', () => {
  const chosen = sample(all, 40)
  const evidence = evidenceOf(chosen)

  it('are none of them proved, and each elects two leaders', () => {
    const proved: string[] = []
    const harmless: string[] = []
    for (const [i, wrong] of chosen.entries()) {
      const definition = evaluated(typescript.ts, wrong)
      const what = `${wrong.language} ${wrong.what}`
      // The induction would take its time, and does not matter any more.
      const shown = unshownIn(definition, evidence[i]).length === 0
      if (shown && proofReport(definition, evidence[i], { explore: false }).verdict === 'proved')
        proved.push(`${what}\n${wrong.source}`)
      const { properties } = simulate(definition, wrong.world).verdict
      if (properties.every(({ name, holds }) => holds !== false || !/one leader/.test(name)))
        harmless.push(what)
    }
    expect(proved).toEqual([])
    expect(harmless).toEqual([])
  }, 600_000)
})
