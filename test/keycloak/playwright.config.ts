import { defineConfig } from '@playwright/test'
import walks from '../../playwright.config.ts'
import type { WalkOptions } from '../e2e/served.ts'

/** Walks through the sign-in pages of Keycloak, which `npm run test:providers` starts. They share its realm, so one runs at a time. */
export default defineConfig<WalkOptions>({
  ...walks,
  testDir: '.',
  outputDir: '../../test-results/keycloak',
  workers: 1,
  retries: 0,
  reporter: 'list',
  projects: [{ name: 'chromium' }],
})
