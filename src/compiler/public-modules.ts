import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUILT } from '../core/built.ts'

interface PackageFile {
  readonly version: string
  readonly exports: Readonly<
    Record<string, { readonly types: string; readonly default: string } | string>
  >
}

/** A module that own files may import by name: `conclave` or one of its subpaths. */
export interface PublicModule {
  readonly name: string
  readonly types: string
  /** The address of its code in this program: a file must not get a second copy. */
  readonly code: string
}

const PACKAGE = new URL('../package.json', BUILT)

function packageFile(): PackageFile {
  return JSON.parse(readFileSync(PACKAGE, 'utf8'))
}

export function publicModules(): PublicModule[] {
  return Object.entries(packageFile().exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            name: `conclave${path.slice(1)}`,
            types: fileURLToPath(new URL(target.types, PACKAGE)),
            code: new URL(target.default, PACKAGE).href,
          },
        ],
  )
}

export function programVersion(): string {
  return packageFile().version
}
