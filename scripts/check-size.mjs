#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isEarly, isOnlyNamed } from './lib/early-messages.mjs'
import { WEB } from './lib/web.mjs'

/** The JavaScript that the first visit to a folder waits for, compressed, stays within its budget (ux §5). */
const BUDGET_BYTES = 170 * 1024
const MANIFEST = join(WEB, '.vite/manifest.json')
const LISTING = 'screens/files/files-screen.tsx'

const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'))
const keys = new Map(Object.entries(manifest).map(([key, { file }]) => [file, key]))
const files = new Set()
for (const file of scriptsOf(readFileSync(join(WEB, 'index.html'), 'utf8'))) reach(keys.get(file) ?? file)
reach(LISTING)
const sizes = [...files].map((file) => ({ file, bytes: gzipSync(readFileSync(join(WEB, file)), { level: 9 }).length }))
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)

for (const { file, bytes } of sizes.toSorted((a, b) => b.bytes - a.bytes)) console.log(`${kib(bytes).padStart(8)}  ${file}`)
console.log(`${kib(total)} of ${kib(BUDGET_BYTES)} KiB of initial JavaScript, gzip`)
const late = lateMessagesIn([...files].map((file) => readFileSync(join(WEB, file), 'utf8')))
if (late.length > 0) console.log(`messages that come too late for the first page (scripts/lib/early-messages.mjs): ${late.join(', ')}`)
process.exitCode = total <= BUDGET_BYTES && late.length === 0 ? 0 : 1

/** What the first page says without having it. */
function lateMessagesIn(scripts) {
  const named = Object.keys(JSON.parse(readFileSync(join(WEB, '../../src/web/i18n/en.json'), 'utf8'))).filter(
    (key) => !isEarly(key) && !isOnlyNamed(key),
  )
  return named.filter((key) => scripts.some((script) => ['"', "'", '`'].some((quote) => script.includes(`${quote}${key}${quote}`))))
}

/** A module and what it imports at once; what it imports later is not waited for. */
function reach(key) {
  const chunk = manifest[key]
  if (chunk === undefined) throw new Error(`${key} is not in ${MANIFEST}`)
  if (files.has(chunk.file)) return
  if (chunk.file.endsWith('.js')) files.add(chunk.file)
  for (const imported of chunk.imports ?? []) reach(imported)
}

/** What the page itself asks for, at once or ahead. */
function scriptsOf(html) {
  return [...html.matchAll(/(?:src|href)="[^"]*(assets\/[^"]+\.js)"/g)].map(([, file]) => file)
}

function kib(bytes) {
  return (bytes / 1024).toFixed(1)
}
