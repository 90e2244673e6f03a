import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { withImports } from './print-imports.ts'

it('the table of imports in docs/architecture.md is what test/import-rules.ts says (else: npm run imports)', () => {
  const page = readFileSync(join(import.meta.dir, '../docs/architecture.md'), 'utf8')
  expect(withImports(page)).toBe(page)
  expect(page).toMatch(/\nserver\/drive +shared, access, storage {3}\(the only way to file content\)\n/)
})
