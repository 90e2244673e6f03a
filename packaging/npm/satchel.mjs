#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { serve } from './serve.mjs'

/** The command `satchel` of the npm package: starts the built server by the runtime that npm installed for this machine. */
const { main, options } = JSON.parse(readFileSync(new URL('program.json', import.meta.url), 'utf8'))
const runtime = findRuntime()
if (runtime === null) {
  console.error(`satchel: npm has installed no runtime for ${process.platform}-${process.arch}; Satchel runs on Linux on x64 and arm64`)
  process.exitCode = 1
} else serve([runtime, ...options, fileURLToPath(new URL(`../${main}`, import.meta.url))])

/** npm installs the one for this processor and C library. */
function findRuntime() {
  const { resolve } = createRequire(import.meta.url)
  const cpu = process.arch === 'arm64' ? 'aarch64' : process.arch
  for (const name of [`@oven/bun-linux-${cpu}`, `@oven/bun-linux-${cpu}-musl`]) {
    try {
      return resolve(`${name}/bin/bun`)
    } catch {
      // Not for this machine.
    }
  }
  return null
}
