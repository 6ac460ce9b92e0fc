import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { reproductionDocument } from '../../support/reproduction-page.ts'

const page = new URL('../../../docs/reproduction.md', import.meta.url)

it('docs/reproduction.md shows all experiments', () => {
  const document = reproductionDocument()
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, document)
  else expect(readFileSync(page, 'utf8'), 'it is stale: npm run docs').toBe(document)
})
