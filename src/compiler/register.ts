import { register } from 'node:module'

/*
 * Loaded with `node --import`, it lets tests import own files in TypeScript, and `conclave`, where
 * nothing is installed: see the hooks.
 */
register(new URL('module-hooks.js', import.meta.url))
