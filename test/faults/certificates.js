import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

/** Certificates of members, as `conclave certs` makes them: a function from names to options. */
export function certificates(names) {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-certs-'))
  const certs = (...args) =>
    execFileSync(process.execPath, [program, 'certs', ...args, '--folder', folder])
  try {
    certs('init')
    certs('issue', ...names)
    const read = (file) => readFileSync(join(folder, file), 'utf8')
    const made = names.map((name) => [
      name,
      { ca: read('ca.crt'), cert: read(`${name}.crt`), key: read(`${name}.key`) },
    ])
    const byName = new Map(made)
    return (name) => byName.get(name)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
