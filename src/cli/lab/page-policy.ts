/*
 * The content security policies of the page. Nothing is loaded from elsewhere, and code of a user
 * runs only in workers that reach nothing: see docs/lab.md, "Code of others".
 */

const COMMON = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
]

/** The policy of the page on its server. */
export const PAGE_POLICY = [
  ...COMMON,
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
].join('; ')

/** That of workers which run definitions: they evaluate code, and load and reach nothing. */
export const CODE_POLICY = "default-src 'none'; script-src 'unsafe-eval'"

/** Workers that run definitions, by their files. */
export const RUNS_CODE = /^((ring|checker)-)?worker-[\w-]+\.js$/

/**
 * The policy of the page in one file, whose scripts are data. Its workers inherit it, so the whole
 * page may evaluate code; none of it reaches a network.
 */
export function filePolicy(hashes: readonly string[]): string {
  const scripts = hashes.map((hash) => `'sha256-${hash}'`).join(' ')
  return [
    ...COMMON,
    `script-src ${scripts} data: 'unsafe-eval'`,
    'worker-src data:',
    "connect-src 'none'",
  ].join('; ')
}
