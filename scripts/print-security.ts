import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessTable } from './security/access-table.ts'
import type { Attack, Group } from './security/attack.ts'
import { GROUPS, namesOf } from './security/known.ts'
import { idsIn, isNamed, type Title, titlesOfTests } from './security/titles.ts'

/** Writes the tables of docs/security.md: known attacks, the defences, and the tests that name them. */
const PAGE = join(import.meta.dir, '../docs/security.md')
const BEFORE = '<!-- attacks: written by scripts/print-security.ts -->\n'
const AFTER = '<!-- end of attacks -->'

/** The page with the tables in their place. */
export function withAttacks(page: string, titles: readonly Title[] = titlesOfTests()): string {
  const [start, end] = [page.indexOf(BEFORE), page.indexOf(AFTER)]
  if (start < 0 || end < start) throw new Error('docs/security.md has no place for the attacks')
  return `${page.slice(0, start)}${BEFORE}\n${GROUPS.map((group) => section(group, titles)).join('\n\n')}\n\n${page.slice(end)}`
}

function section({ title, attacks }: Group, titles: readonly Title[]): string {
  const rows = attacks.map((attack) => `| ${namesOf(attack).join('<br>')} | ${attack.did} | ${attack.why} | ${testsOf(attack, titles)} |`)
  return `### ${title}\n\n| id | attack | defence in Satchel | tests |\n| --- | --- | --- | --- |\n${rows.join('\n')}`
}

function testsOf(attack: Attack, titles: readonly Title[]): string {
  const found = titles.filter((title) => isNamed(title, attack))
  return found.map(({ file, text, within }) => `[${escaped(withoutIds([...within, text].join(' ')))}](../${file})`).join('<br>')
}

/** A title without the row or the brackets that say whose test it is. */
function withoutIds(text: string): string {
  return text
    .replace(/\b(?:[A-Z]|people-attack-)\d+: /g, '')
    .replace(/ ?\([^()]*\)/g, (group) => (idsIn(group).length > 0 ? '' : group))
    .trim()
}

function escaped(text: string): string {
  return text.replace(/[\\`*_<>[\]|]/g, '\\$&')
}

const BEFORE_ACCESS = '<!-- access: written by scripts/print-security.ts -->\n'
const AFTER_ACCESS = '<!-- end of access -->'

/** The page with the table of how soon a change of access counts in its place. */
export function withAccess(page: string): string {
  const [start, end] = [page.indexOf(BEFORE_ACCESS), page.indexOf(AFTER_ACCESS)]
  if (start < 0 || end < start) throw new Error('docs/security.md has no place for the table of access')
  return `${page.slice(0, start)}${BEFORE_ACCESS}\n${accessTable()}\n\n${page.slice(end)}`
}

if (import.meta.main) writeFileSync(PAGE, withAccess(withAttacks(readFileSync(PAGE, 'utf8'))))
