#!/usr/bin/env node
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildWeb, isWebBuilt } from './lib/web.mjs'
import { hasRuntime, install, isInstalled, RUNTIME, repairRuntime } from './lib/packages.mjs'

/**
 * `npm start`, and the `satchel` command: installs what is missing, builds what changed, and serves. Plain Node without packages, because
 * it runs before there are any.
 */
const MAIN = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
