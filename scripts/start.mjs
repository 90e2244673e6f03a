#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { HOME, install, isInstalled, repairRuntime } from './lib/packages.mjs'
import { serve } from './lib/serve.mjs'
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

function step(text) {
  // Not among what a command such as `satchel hash` prints.
  console.error(`satchel: ${text}`)
}
