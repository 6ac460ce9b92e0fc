import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const page = new URL('../../docs/coordinator.md', import.meta.url)

/** Certificates by the commands of docs/coordinator.md: a function from names to options. */
export function certificates(names) {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-certificates-'))
  const [commands] = /^mkdir -m 700 certs[\s\S]*?^done$/m.exec(readFileSync(page, 'utf8'))
  try {
    const script = commands.replace('in a b c;', `in ${names.join(' ')};`)
    execFileSync('bash', ['-ec', script], { cwd: folder, stdio: 'pipe' })
    const read = (file) => readFileSync(join(folder, 'certs', file), 'utf8')
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
