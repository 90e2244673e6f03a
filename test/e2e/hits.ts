import type { Page } from '@playwright/test'
import type { Served } from './server.ts'

/** Widths at which bars used to leave the window, and those of a tablet and a phone. */
export const WIDTHS = [1366, 1280, 1024, 820, 390] as const

/**
 * In the page: what can be pressed in bars, trays, notices, dialogs and forms, and cannot be reached at its middle because it is outside the
 * window or something else lies over it. What scrolls is brought into sight first, as anybody would.
 */
export function coveredActions(): string[] {
  const places =
    '[data-part=header], [data-part=listing-header], [data-part=dock], [data-part=tray], [data-part=notices], [data-part=save-bar], [role=dialog], form'
  const actions = [...document.querySelectorAll(places)].flatMap((place) => [
    ...place.querySelectorAll('button, a[href], input, select, textarea'),
  ])
  return [...new Set(actions)]
    .filter((action) => action.checkVisibility({ visibilityProperty: true }) && action.closest('[inert]') === null)
    .flatMap((action) => {
      action.scrollIntoView({ block: 'center', inline: 'nearest' })
      // Radio buttons and switches are drawn by their label.
      const drawn = action.closest('label') ?? action
      const { left, top, width, height } = drawn.getBoundingClientRect()
      if (width <= 1 || height <= 1) return []
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      if (hit !== null && (drawn.contains(hit) || hit.closest('label')?.contains(action))) return []
      const name = action.getAttribute('aria-label') ?? action.textContent ?? action.tagName
      const by = hit === null ? 'outside the window' : `under ${hit.closest('[data-part]')?.getAttribute('data-part') ?? hit.tagName}`
      return [`“${name.trim().slice(0, 40)}” ${by}`]
    })
}

/**
 * Everything that floats at once: uploads that do not get on, and a notice that stays. Ends in a listing of which everything is selected.
 * @param beforeTray once there is the notice
 */
export async function crowd(page: Page, served: Served, beforeTray?: () => Promise<void>): Promise<void> {
  await page.route(/api\/(tus|bulk)/, (route) => (route.request().method() === 'GET' ? route.continue() : undefined))
  await page.route('**/api/resources/**', (route) => {
    const method = route.request().method()
    if (method === 'POST') return undefined
    return method === 'DELETE' ? route.fulfill({ status: 500, json: { code: 'unexpected', detail: { incident: 'x' } } }) : route.continue()
  })
  await page.goto(`${served.url}/files/`)
  await page.locator('[data-item]').first().click()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').locator('[data-variant=primary]').click()
  await page.locator('[data-part=notice][data-tone=error]').waitFor()
  await beforeTray?.()
  await page.locator('[data-part=pick-files]').setInputFiles(['one.bin', 'two.bin'].map(fileOf))
  await page.locator('[data-part=tray]').waitFor()
  await selectAll(page)
}

export async function selectAll(page: Page): Promise<void> {
  await page.locator('[data-item]').first().waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.locator('[data-part=dock]').waitFor()
}

/** At every width; with what is covered once everything has come to rest. */
export async function problemsAt(page: Page, where: string): Promise<string[]> {
  const problems: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 800 })
    const covered = await settled(page)
    problems.push(...covered.map((what) => `${where} at ${width}: ${what}`))
  }
  return problems
}

/** Notices step aside a moment after the page has changed. */
async function settled(page: Page): Promise<string[]> {
  let covered = await page.evaluate(coveredActions)
  for (let tries = 0; tries < 8 && covered.length > 0; tries++) {
    await page.waitForTimeout(250)
    covered = await page.evaluate(coveredActions)
  }
  return covered
}

function fileOf(name: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(5000) }
}
