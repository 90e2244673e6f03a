import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsTable } from '../src/server/config/help.ts'

/** Writes the table of settings into docs/configuration.md, from the table that the server reads by. */
const PAGE = join(import.meta.dir, '../docs/configuration.md')
const BEFORE = '<!-- settings: written by scripts/print-settings.ts -->\n'
const AFTER = '<!-- end of settings -->'

/** The page with the table in its place. */
export function withSettings(page: string): string {
  const [start, end] = [page.indexOf(BEFORE), page.indexOf(AFTER)]
  if (start < 0 || end < start) throw new Error('docs/configuration.md has no place for the settings')
  return `${page.slice(0, start)}${BEFORE}\n${settingsTable()}\n\n${page.slice(end)}`
}

if (import.meta.main) writeFileSync(PAGE, withSettings(readFileSync(PAGE, 'utf8')))
