import type { Page } from '@playwright/test'
import type { Served } from '../../test/e2e/server.ts'
import { type Links, LONG_NAME } from './instance.ts'

/** Heights in pixels: of a window, and of what holds every settings page. */
export const WINDOW = 844
export const TALL = 2600

/** Where a step begins. */
export interface Stage {
  readonly page: Page
  readonly served: Served
  readonly links: Links
  /** A text of the language, to find things by. */
  say(key: string): string
}

export type Step = (stage: Stage) => Promise<unknown>
/** Screens one after another, each reached from the one before; the first opens the page. */
export type Tour = Record<string, Step>

export async function listing({ page, served }: Stage): Promise<void> {
  await page.goto(`${served.url}/files/`)
  await page.locator('[role=row]').nth(2).waitFor()
}

export async function openMenu({ page }: Stage, name = 'Jahres'): Promise<void> {
  await page.locator('[role=row]').filter({ hasText: name }).first().click({ button: 'right' })
  await page.getByRole('menu').waitFor()
}

/** Uploads one content over the other, so that there are versions. */
export async function overwrite({ page, served }: Stage, name: string, contents: readonly string[]): Promise<void> {
  const address = `${served.url}/api/resources/${name}?override=true`
  for (const body of contents)
    await page.evaluate(
      async ([to, text]) => {
        const headers = { 'x-auth': localStorage.getItem('jwt') ?? '' }
        await fetch(to, { method: 'POST', headers, body: text })
      },
      [address, body] as const,
    )
}

export function chosen(action: string, name?: string): Step {
  return async (stage) => {
    await openMenu(stage, name)
    await stage.page.locator(`[data-part=menu-item][data-id=${action}]`).click()
    await stage.page.getByRole('dialog').waitFor()
  }
}

export function dialogBy(key: string): Step {
  return async ({ page }) => {
    await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
  }
}

/** Closes what is open before. */
export function afterEscape(step: Step): Step {
  return async (stage) => {
    await stage.page.keyboard.press('Escape')
    await stage.page.locator('[role=dialog], [role=menu]').first().waitFor({ state: 'detached' })
    await step(stage)
  }
}

export function settled(path: string): Step {
  return async ({ page, served }) => {
    await page.goto(`${served.url}${path}`)
    await page.getByRole('main').waitFor()
    await page.waitForLoadState('networkidle')
  }
}

export function visit(which: (links: Links) => string, part: string): Step {
  return async ({ page, served, links }) => {
    await page.goto(`${served.url}/share/${which(links)}`)
    await page.locator(part).first().waitFor()
  }
}

export async function edit({ page, served }: Stage): Promise<void> {
  await page.goto(`${served.url}/files/${encodeURIComponent(LONG_NAME)}`)
  await page.locator('.cm-content').waitFor()
}

export async function openTray(page: Page): Promise<void> {
  const tray = page.locator('[data-part=tray]')
  await tray.waitFor()
  const fold = tray.locator('header button[aria-expanded]')
  if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click()
  await tray.locator('li').first().waitFor()
}

export function upload(name: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(`incoming ${name}`) }
}

/** Makes room for what is longer than a window, or takes it back. */
export async function grow(page: Page, height: number): Promise<void> {
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 390, height })
}

export function preview(path: string, shown: string): Step {
  return async ({ page, served }) => {
    await page.goto(`${served.url}/files/${path}`)
    await page.locator(shown).first().waitFor()
  }
}
