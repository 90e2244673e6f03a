#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isEarly, isOnlyNamed } from './lib/early-messages.mjs'
import { HOME } from './lib/packages.mjs'
import { WEB } from './lib/web.mjs'

/**
 * The JavaScript that a first visit waits for, compressed, stays within its budget: the entry, what each page needs besides, and what they
 * import. With `--files` file by file.
 */
const PAGES = [
  { name: 'a folder', budgetBytes: 195_000, needs: ['app/layout.tsx', 'screens/files/files-screen.tsx'] },
  { name: 'signing in', budgetBytes: 150_000, needs: ['screens/login/login-screen.tsx'] },
  { name: 'a shared folder', budgetBytes: 150_000, needs: ['app/share-layout.tsx', 'screens/share/share-screen.tsx'] },
]
const MANIFEST = join(WEB, '.vite/manifest.json')

const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'))
const keys = new Map(Object.entries(manifest).map(([key, { file }]) => [file, key]))
const entries = scriptsOf(readFileSync(join(WEB, 'index.html'), 'utf8')).map((file) => keys.get(file) ?? file)
const messages = Object.keys(JSON.parse(readFileSync(join(HOME, 'src/web/i18n/en.json'), 'utf8')))
const lateMessages = messages.filter((key) => !isEarly(key) && !isOnlyNamed(key))

const kept = PAGES.map(isWithinBudget)
process.exitCode = kept.every(Boolean) ? 0 : 1

function isWithinBudget({ name, budgetBytes, needs }) {
  const files = reachedFrom([...entries, ...needs])
  const sizes = files.map((file) => ({ file, bytes: gzipSync(readFileSync(join(WEB, file)), { level: 9 }).length }))
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  console.log(`${kb(total)} of ${kb(budgetBytes)} kB of JavaScript before ${name}, gzip`)
  if (total > budgetBytes || process.argv.includes('--files'))
    for (const { file, bytes } of sizes.toSorted((a, b) => b.bytes - a.bytes)) console.log(`${kb(bytes).padStart(9)}  ${file}`)
  const scripts = files.map((file) => readFileSync(join(WEB, file), 'utf8'))
  const late = lateMessages.filter((key) => scripts.some((script) => ['"', "'", '`'].some((quote) => script.includes(quote + key + quote))))
  // Said without being there.
  if (late.length > 0) console.log(`messages that come too late for it (scripts/lib/early-messages.mjs): ${late.join(', ')}`)
  return total <= budgetBytes && late.length === 0
}

/** The scripts of modules and of what they import at once; what they import later is not waited for. */
function reachedFrom(modules) {
  const files = new Set()
  const reach = (key) => {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`${key} is not in ${MANIFEST}`)
    if (files.has(chunk.file)) return
    if (chunk.file.endsWith('.js')) files.add(chunk.file)
    for (const imported of chunk.imports ?? []) reach(imported)
  }
  for (const module of modules) reach(module)
  return [...files]
}

/** What the page itself asks for, at once or ahead. */
function scriptsOf(html) {
  return [...html.matchAll(/(?:src|href)="[^"]*(assets\/[^"]+\.js)"/g)].map(([, file]) => file)
}

function kb(bytes) {
  return (bytes / 1000).toFixed(1)
}
