import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { commandLineDocument } from '../../support/command-line-page.ts'

const page = fileURLToPath(new URL('../../../docs/command-line.md', import.meta.url))
const update = process.env.UPDATE_DOCS === '1'

it('docs/command-line.md has every command with all its flags and examples', async () => {
  const document = await commandLineDocument()
  if (update) writeFileSync(page, document)
  else
    expect(existsSync(page) && readFileSync(page, 'utf8'), 'it is stale: npm run docs').toBe(
      document,
    )
})
