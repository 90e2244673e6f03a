import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './served.ts'

test.use({ serverOptions: ['--disableExec=false'] })

/** A program that says when it is there to be ended; what is pressed before would be the shell's. */
const SLEEP = `sh -c 'echo asle$((0))p; exec sleep 1300'\n`

test('the terminal opens in the current folder, accepts input, resizes, reconnects, ends and restarts', async ({ page, served }) => {
  await served.write('docs/plan.txt', 'hello')
  await signIn(page, served, '/files/docs/')
  await open(page)
  await expect(rows(page)).toContainText('/files/docs $')
  await page.keyboard.type('cat plan.txt; echo $((6 * 7))\n')
  await expect(rows(page)).toContainText('hello42')
  // Colours of a program's own are styles, which the page's policy must let through by their object.
  await page.keyboard.type(`printf '\\033[38;2;200;30;30mre\\033[0m%s\\n' d; stty size\n`)
  await expect(rows(page).getByText('re', { exact: true })).toHaveCSS('color', /rgb/)
  const size = async () => (await rows(page).innerText()).match(/^\d+ \d+$/gm)?.at(-1)
  await expect.poll(size).toMatch(/\d+ \d+/)
  const before = await size()
  await panel(page).getByRole('separator').press('Home')
  await typeIn(page, 'stty size\n')
  await expect.poll(size).not.toBe(before)
  await expectAccessible(page, 'the terminal')
  await typeIn(page, SLEEP)
  await expect(rows(page)).toContainText('asle0p')
  await page.keyboard.press('Control+c')
  // Input before the signal arrives is discarded with it.
  await expect(rows(page)).toContainText('^C')
  await page.keyboard.type('echo st$((0))pped\n')
  await expect(rows(page)).toContainText('st0pped')
  // Tab and Escape are the program's; F6 leads out, and the panel's key closes it, while the shell goes on.
  await page.keyboard.press('Tab')
  await expect(panel(page).locator('textarea')).toBeFocused()
  await page.keyboard.press('F6')
  await expect(panel(page).locator('textarea')).not.toBeFocused()
  await typeIn(page, 'x=kept')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Backquote')
  await expect(panel(page)).toHaveCount(0)
  await page.keyboard.press('Control+Backquote')
  await typeIn(page, 'echo $x$x\n')
  await expect(rows(page)).toContainText('keptkept')
  await page.keyboard.type('exit 3\n')
  await expect(panel(page).getByText('Exit code 3')).toBeVisible()
  await panel(page).getByRole('button', { name: 'Restart' }).click()
  await typeIn(page, 'echo ag$((1))in\n')
  await expect(rows(page)).toContainText('ag1in')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true })

  test('a row of buttons offers the keys that an on-screen keyboard lacks', async ({ page, served }) => {
    await signIn(page, served)
    await page.getByRole('button', { name: /^Account/ }).tap()
    await page.getByRole('menuitem', { name: 'Toggle shell' }).tap()
    await panel(page).getByRole('radio', { name: 'Terminal' }).check()
    await expect(rows(page)).toContainText('/files $')
    await typeIn(page, SLEEP)
    await expect(rows(page)).toContainText('asle0p')
    await panel(page).getByRole('button', { name: 'Ctrl' }).tap()
    await page.keyboard.type('c')
    await expect(rows(page)).toContainText('^C')
    await page.keyboard.type('echo fr$((3))e\n')
    await expect(rows(page)).toContainText('fr3e')
    await expect(panel(page).locator('textarea')).toBeFocused()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await expectAccessible(page, 'the terminal on a phone')
  })
})

function panel(page: Page): Locator {
  return page.getByRole('region', { name: 'Shell' })
}

/** The text on the screen of the terminal. */
function rows(page: Page): Locator {
  return panel(page).locator('.xterm-rows')
}

async function typeIn(page: Page, text: string): Promise<void> {
  await panel(page).locator('textarea').focus()
  await page.keyboard.type(text)
}

async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Toggle shell' }).click()
  await panel(page).getByText('Terminal', { exact: true }).click()
}
