import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test as base } from './served.ts'

/** A folder of the person at the browser, to drop from. */
export const test = base.extend<{ desktop: string }>({
  desktop: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'satchel-desktop-'))
    await use(folder)
    await rm(folder, { recursive: true })
  },
})

export const MIB = 1024 * 1024

export function tray(page: Page) {
  return page.getByRole('region', { name: 'Uploads', exact: true })
}

export async function expectUnderWay(page: Page): Promise<void> {
  const bar = tray(page).getByRole('progressbar', { name: 'Uploading big.bin' })
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
}

/** What lies in the storage's own folder of staged bytes. */
export function staged(root: string): string[] {
  const folder = join(root, '.satchel')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'installed')
    .map(({ name }) => name)
}
