import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { withSettings } from './print-settings.ts'

it('docs/configuration.md has every setting as the server reads it; else run bun scripts/print-settings.ts', () => {
  const page = readFileSync(join(import.meta.dir, '../docs/configuration.md'), 'utf8')
  expect(plain(page)).toBe(plain(withSettings(page)))
})

/** The formatter pads tables. */
function plain(text: string): string {
  return text
    .replace(/ *\| */g, '|')
    .replace(/-{2,}/g, '---')
    .replace(/\n+/g, '\n')
}
