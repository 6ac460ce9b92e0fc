import type ts from 'typescript'
import { BUILT } from '../core/built.ts'

/** The compiler's interface. Its version is that of the lab's editor. */
export type TypeScript = typeof ts

export interface LoadedTypeScript {
  readonly ts: TypeScript
  /** The declarations of JavaScript's own objects, by the names of their files. */
  readonly LIBRARY: Readonly<Record<string, string>>
}

/** Loads the TypeScript that ships with the lab: a quarter of a second. */
export function loadTypeScript(): Promise<LoadedTypeScript> {
  return import(new URL('lab/assets/typescript.js', BUILT).href)
}
