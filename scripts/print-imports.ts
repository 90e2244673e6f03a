import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IMPORT_RULES } from '../test/import-rules.ts'

const FILE = join(import.meta.dir, '../docs/architecture.md')
const BEGIN = '<!-- printed from test/import-rules.ts by `npm run imports` -->\n\n'
const END = '\n\n<!-- end of what is printed -->'

/** A page with the table of imports in its place. */
export function withImports(page: string): string {
  const [before = '', rest = ''] = page.split(BEGIN, 2)
  return `${before}${BEGIN}\`\`\`\n${importTable()}\n\`\`\`${END}${rest.slice(rest.indexOf(END) + END.length)}`
}

function importTable(): string {
  const rows = Object.entries(IMPORT_RULES).map(([folder, { imports, note }]) => ({
    folder,
    // The folders of the same side by their last name.
    line: imports.map((one) => (one.endsWith('/*') ? one : one.slice(one.indexOf('/') + 1))).join(', ') || '–',
    note,
  }))
  const width = Math.max(...rows.map(({ folder }) => folder.length)) + 2
  return rows.map(({ folder, line, note }) => `${folder.padEnd(width)}${line}${note === undefined ? '' : `   (${note})`}`).join('\n')
}

if (import.meta.main) await Bun.write(FILE, withImports(readFileSync(FILE, 'utf8')))
