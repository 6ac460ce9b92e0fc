import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type ts from 'typescript'
import { BUILT } from '../core/built.ts'

/** The compiler's interface. Its version is that of the lab's editor. */
export type TypeScript = typeof ts

export interface LoadedTypeScript {
  readonly ts: TypeScript
  /** The declarations of JavaScript's own objects, by the names of their files. */
  readonly LIBRARY: Readonly<Record<string, string>>
}

let loaded: Promise<LoadedTypeScript> | undefined

/** Loads the TypeScript that ships with the lab: a quarter of a second. */
export function loadTypeScript(): Promise<LoadedTypeScript> {
  loaded ??= unpacked(new URL('lab/assets/typescript.js.gz', BUILT))
  return loaded
}

async function unpacked(file: URL): Promise<LoadedTypeScript> {
  const code = gunzipSync(await readFile(file))
  // Stack traces name this in place of an address that holds the whole code.
  const named = Buffer.concat([code, Buffer.from('\n//# sourceURL=typescript.js\n')])
  return import(`data:text/javascript;base64,${named.toString('base64')}`)
}
