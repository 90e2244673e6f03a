import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from '../../src/server/entries/entries.ts'
import { SECTIONS } from '../../site/pages.ts'

/** The pages of `docs/` for those who run the program: packages carry them, because machines may have no network. */
export function guides(): string[] {
  const pages = SECTIONS.filter(({ open }) => open).flatMap((section) => section.pages.map(({ file }) => `docs/${file}`))
  return pages.filter((file) => existsSync(join(HOME, file)))
}
