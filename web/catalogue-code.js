import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { instrument } from '../src/compiler/coverage/instrument.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NAME = 'virtual:catalogue-code'
/** Parts of a definition with its handlers. */
const HANDLERS = ['start', 'on', 'timeout', 'meet', 'down', 'up']
/** Long texts of definitions that handlers do not need. */
const LEFT_OUT = ['theory', 'display', 'reasons']

/**
 * The module `virtual:catalogue-code`: the sources of the catalogue, and the same instrumented and
 * compiled, by path. The page loads it for the code beside the stage.
 */
export const catalogueCode = {
  name: 'catalogue-code',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
  async load(id) {
    if (id !== `\0${NAME}`) return null
    // Not before: programs that only read the configuration need no compiler.
    const { default: ts } = await import('typescript')
    const files = readdirSync(`${ROOT}src/algorithms`, { recursive: true })
      .map((name) => `/src/algorithms/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .sort()
    const entries = files.map((path) => {
      this.addWatchFile(`${ROOT}${path.slice(1)}`)
      return [path, moduleOf(ts, path, readFileSync(`${ROOT}${path.slice(1)}`, 'utf8'))]
    })
    return `export default ${JSON.stringify(Object.fromEntries(entries))}`
  },
}

function moduleOf(ts, path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2022, true)
  const { text, pieces, functions, aliases } = instrument(ts, file)
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      removeComments: true,
    },
    transformers: { before: [withoutTexts(ts)] },
  })
  const handlers = aliases.filter(({ path }) => path.some((name) => HANDLERS.includes(name)))
  return { source, pieces, functions, aliases: handlers, compiled: outputText.replace(/^ +/gm, '') }
}

function withoutTexts(ts) {
  return (context) => {
    const visit = (node) => {
      const name = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text
      const text = LEFT_OUT.includes(name) && ts.isObjectLiteralExpression(node.initializer)
      return text ? undefined : ts.visitEachChild(node, visit, context)
    }
    return (file) => ts.visitNode(file, visit)
  }
}
