#!/usr/bin/env node
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { HOME, install, isInstalled, repairRuntime } from './lib/packages.mjs'
import { isServerBuilt, serverCommand } from './lib/server.mjs'
import { isWebBuilt } from './lib/web.mjs'

/**
 * `npm start`, and the `satchel` command: installs what is missing, builds what changed, serves. Plain Node without packages, because it
 * runs before there are any.
 */
try {
  serve(prepare())
} catch (error) {
  console.error(`satchel: ${error.message}`)
  process.exitCode = 1
}

/** @returns what starts the server */
function prepare() {
  if (!isInstalled({ checks: false })) {
    step('installing packages')
    install({ checks: false })
  }
  if (repairRuntime()) step('npm had skipped the install script of the runtime: made up for')
  if (!isWebBuilt()) {
    step('building the web')
    const { status } = spawnSync(process.execPath, [join(HOME, 'scripts/build.mjs')], { stdio: 'inherit' })
    if (status !== 0) throw new Error('the web could not be built')
  }
  if (!isServerBuilt()) step('building the server')
  return serverCommand()
}

/** The server takes our place: it gets our signals, and we end as it ends. */
function serve([runtime, ...options]) {
  const server = spawn(runtime, [...options, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
  server.once('error', (error) => {
    console.error(`satchel: ${error.message}`)
    process.exitCode = 1
  })
  server.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
  })
}

function step(text) {
  // Not among what a command such as `satchel hash` prints.
  console.error(`satchel: ${text}`)
}
