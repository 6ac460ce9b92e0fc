/** Where a definition imports files beside it. */
const IMPORTS_FILES = /^\s*(?:import|\}).*from\s*['"]\./m

/** Saves a definition as a file that commands take: `conclave run mine.ts`. */
export async function saveDefinition(path: string, source: string): Promise<void> {
  // The compiler is large: a definition that imports no other file needs none.
  const text = IMPORTS_FILES.test(source)
    ? await (await import('./compile.ts')).standalone(path, source)
    : source
  saveAs(new Blob([text], { type: 'text/typescript' }), fileName(path, source))
}

/** An own file keeps its name; a definition of the catalogue is called as it calls itself now. */
function fileName(path: string, source: string): string {
  const [, file] = /([^/#]+)(?:#.*)?$/.exec(path) ?? []
  const [, name] = /^ {2}name: ['"]([\w-]+)['"],$/m.exec(source) ?? []
  return path.startsWith('/src/') && name !== undefined ? `${name}.ts` : (file ?? 'own.ts')
}

/** Saves a file under a name, where the browser puts such files. */
export function saveAs(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
