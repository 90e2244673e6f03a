import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES } from '../src/shared/languages.ts'
import { CATALOGUES, pluralsOf, problemsOf, readCatalogue } from './check-messages.ts'

/**
 * For translators:
 *   bun scripts/messages.ts missing de            what has no German text yet, as JSON with the English texts
 *   bun scripts/messages.ts merge de file.json    puts the texts of such a file into de.json, in the order of the keys
 * A merge that would leave something wrong changes nothing and says what; keys that nobody asks for any more go.
 */
type Catalogue = Readonly<Record<string, string>>

/** What the source has and the catalogue has not, with the source's texts. */
export function missingFrom(catalogue: Catalogue, source: Catalogue): Catalogue {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !(key in catalogue)))
}

/** Both together in the source's order; a new text wins over the old one. */
export function merged(catalogue: Catalogue, added: Catalogue, source: Catalogue): Catalogue {
  const all = { ...catalogue, ...added }
  return Object.fromEntries(Object.keys(source).flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])))
}

function main([command, code = '', file]: readonly string[]): number {
  const language = LANGUAGES.find((one) => one.code === code)
  if (language === undefined || code === 'en') return usage(`languages: ${LANGUAGES.map((one) => one.code).join(' ')}`)
  const source = readCatalogue('en')
  const catalogue = readCatalogue(code)
  if (command === 'missing') {
    console.log(JSON.stringify(missingFrom(catalogue, source), null, 2))
    console.error(`${language.name}: plurals need ${pluralsOf(code, 'cardinal').join(', ')}`)
    return 0
  }
  if (command === 'merge' && file !== undefined) return merge(code, { catalogue, source, file })
  return usage('a file to merge')
}

function merge(code: string, { catalogue, source, file }: { catalogue: Catalogue; source: Catalogue; file: string }): number {
  // Its values are checked one by one by `problemsOf`.
  const added = JSON.parse(readFileSync(file, 'utf8')) as Catalogue
  const unknown = Object.keys(added).filter((key) => !(key in source))
  const result = merged(catalogue, added, source)
  const problems = [
    ...unknown.map((key) => ({ key, problem: 'not in en.json' })),
    // What is still to come is no mistake of this file.
    ...problemsOf(code, result, source).filter(({ problem }) => problem !== 'missing'),
  ]
  for (const { key, problem } of problems) console.error(`${file}: ${key}: ${problem}`)
  if (problems.length > 0) return 1
  writeFileSync(join(CATALOGUES, `${code}.json`), `${JSON.stringify(result, null, 2)}\n`)
  console.log(`${code}.json: ${Object.keys(added).length} merged, ${Object.keys(missingFrom(result, source)).length} missing`)
  return 0
}

function usage(more: string): number {
  console.error(`usage: messages.ts missing LANGUAGE | messages.ts merge LANGUAGE FILE\n${more}`)
  return 2
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2))
