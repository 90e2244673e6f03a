import { defineConfig } from '@playwright/test'
import type { WalkOptions } from './test/e2e/served.ts'

/** Walks in Debian's Chromium against a real server on the built web; each walk starts a server of its own (test/e2e/served.ts). */
export default defineConfig<WalkOptions>({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  workers: 2,
  retries: 1,
  timeout: 60_000,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  projects: [
    { name: 'chromium' },
    // The same walks below a path, behind a proxy that passes the path on and behind one that takes it away.
    { name: 'nginx', use: { behind: 'nginx' }, testMatch: ['**/sign-in.spec.ts', '**/sub-path.spec.ts'] },
    { name: 'nginx-strips', use: { behind: 'nginx that strips' }, testMatch: ['**/security.spec.ts', '**/sub-path.spec.ts'] },
  ],
  use: {
    // What a worker fetches, no walk could intercept; the walks about it switch it on.
    serviceWorkers: 'block',
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 10_000,
    // Fades and slides are for people; the walks about motion switch them on.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
