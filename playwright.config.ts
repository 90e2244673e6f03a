import { existsSync } from 'node:fs'
import { defineConfig, type LaunchOptions } from '@playwright/test'
import type { WalkOptions } from './test/e2e/served.ts'

const CHROMIUM = '/usr/bin/chromium'
/** The same engine without a window to draw, in about half the time (scripts/lib/debian.mjs installs it where there is one). */
const SHELL = '/usr/bin/chromium-headless-shell'
/** Walks with this tag need what only the whole browser has: its viewers for what is opened by its address, and installing an application. */
const WHOLE = /@whole/

/** Walks in Debian's Chromium against a real server on the built web; each walk has one of its own (test/e2e/served.ts). */
export default defineConfig<WalkOptions>({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  // It is emptied before the walks.
  outputDir: 'test-results/walks',
  fullyParallel: true,
  workers: 2,
  retries: 1,
  // A walk that somebody kept for himself would leave out all others without a word.
  forbidOnly: true,
  // Limits are for what hangs: a machine ten times slower than ours, or as much busier, stays below them.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  projects: [
    { name: 'chromium', grepInvert: WHOLE },
    { name: 'whole chromium', grep: WHOLE, use: { launchOptions: launch(CHROMIUM) } },
    // The same walks below a path, behind a proxy that passes the path on and behind one that takes it away.
    { name: 'nginx', use: { behind: 'nginx' }, testMatch: ['**/sign-in.spec.ts', '**/sub-path.spec.ts'] },
    { name: 'nginx-strips', use: { behind: 'nginx that strips' }, testMatch: ['**/security.spec.ts', '**/sub-path.spec.ts'] },
  ],
  use: {
    // What a worker fetches, no walk could intercept; the walks about it switch it on.
    serviceWorkers: 'block',
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 60_000,
    // Fades and slides are for people; the walks about motion switch them on.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: launch(existsSync(SHELL) ? SHELL : CHROMIUM),
  },
})

function launch(executablePath: string): LaunchOptions {
  return {
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  }
}
