import { readFileSync, writeSync } from 'node:fs'
import { constants, createContext, Script } from 'node:vm'

/*
 * The code of the child process that grades one file. What it needs of the host it takes at the
 * beginning; then the globals of the host are deleted, privileges are given up, and the definition
 * is evaluated in a realm of its own, from which only texts come back. The channel to the parent
 * is a pipe that only this module knows, and every line on it begins with a secret.
 */

/** The order of the parent, as one JSON text on standard input. */
export interface SandboxOrder {
  readonly secret: string
  /** The script with the engines, and the file as a function of what it imports. */
  readonly realm: string
  readonly code: string
  /** For the realm. */
  readonly request: string
  /** An unprivileged user to become, where the process may. */
  readonly user: number | null
  /** The name of the file's code in stack traces. */
  readonly name: string
}

const CHANNEL = 3

const { secret, realm, code, request, user, name }: SandboxOrder = JSON.parse(
  readFileSync(0, 'utf8'),
)
const engines = readFileSync(realm, 'utf8')
const say = (text: string) => void writeSync(CHANNEL, `${secret}${text}\n`)
const exit = process.exit.bind(process)

const lost = user === null ? false : becomeUser(user)
for (const key of Object.keys(process.env)) delete process.env[key]
deleteGlobals()
say(JSON.stringify({ ready: { user: lost } }))

const context = createContext(constants.DONT_CONTEXTIFY as never, {
  codeGeneration: { strings: true, wasm: false },
  microtaskMode: 'afterEvaluate',
})
const evaluated = (text: string, filename: string) =>
  new Script(text, { filename }).runInContext(context)
/** A realm without a host has no classes for texts, which incarnations need. */
const TEXTS = `const { Function, escape, unescape } = globalThis
const { encodeURIComponent, decodeURIComponent } = globalThis
class TextEncoder {
  encode(text) {
    const encoded = unescape(encodeURIComponent(text.toWellFormed()))
    return Uint8Array.from(encoded, (byte) => byte.charCodeAt(0))
  }
}
class TextDecoder {
  decode(bytes) {
    return decodeURIComponent(escape(String.fromCharCode(...bytes)))
  }
}`
const { open } = evaluated(
  `(function () { ${TEXTS}\n${engines}; return realm })()`,
  'conclave-engines.js',
)
const next: () => string = open(evaluated(code, name), request)
let text: string
do {
  text = next()
  if (typeof text !== 'string') break
  say(text)
} while (text.startsWith('{"doing":'))
exit(0)

/** Gives up all privileges; false where the system does not allow it. */
function becomeUser(id: number): boolean {
  try {
    process.setgroups?.([])
    process.setgid?.(id)
    process.setuid?.(id)
    return process.getuid?.() === id
  } catch {
    return false
  }
}

/** Deletes everything that is not part of the language from the global object. */
function deleteGlobals(): void {
  const language = new Set(
    evaluatedNames().filter(
      (one) => !['WebAssembly', 'Atomics', 'SharedArrayBuffer'].includes(one),
    ),
  )
  for (const key of Reflect.ownKeys(globalThis))
    if (typeof key === 'symbol' || !language.has(key))
      Reflect.deleteProperty(globalThis, key) || Reflect.set(globalThis, key, undefined)
}

/** The names of a fresh realm. */
function evaluatedNames(): string[] {
  const fresh = createContext(constants.DONT_CONTEXTIFY as never)
  return new Script('Object.getOwnPropertyNames(globalThis).join()')
    .runInContext(fresh)
    .split(',')
    .filter((one: string) => one !== 'console')
}
