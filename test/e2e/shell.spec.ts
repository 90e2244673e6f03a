import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dialog, fillName, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, signIn, test } from './served.ts'

test.use({ serverOptions: ['--disableExec=false'] })

test('the header opens the shell, commands run in the current folder, and exit closes it', async ({ page, served }) => {
  await served.write('docs/plan.txt', 'hello')
  await signIn(page, served)
  await open(page)
  await expect(field(page)).toBeFocused()
  await run(page, 'ls')
  await expect(said(page)).toHaveText(['docs'])
  await row(page, 'docs').dblclick()
  await expect(row(page, 'plan.txt')).toBeVisible()
  await expect(panel(page).getByRole('textbox', { name: 'Command in /docs' })).toBeVisible()
  await run(page, 'cat plan.txt')
  await expect(said(page)).toHaveText(['docs', 'hello'])
  await run(page, 'exit')
  await expect(panel(page)).toHaveCount(0)
  await page.keyboard.press('Control+Backquote')
  await expect(said(page)).toHaveText(['docs', 'hello'])
  await page.keyboard.press('Escape')
  await expect(field(page)).not.toBeFocused()
  await expect(row(page, 'plan.txt')).toBeVisible()
  await page.keyboard.press('Control+Backquote')
  await expect(panel(page)).toHaveCount(0)
})

test('the shell streams both outputs with colours and without markup, and shows a non-zero exit code', async ({ page, served }) => {
  await served.write('say.sh', `printf '\\033[1;32mgreen\\033[0m <b>no markup</b>\\n'; echo oops >&2; exit 3`)
  await signIn(page, served)
  await open(page)
  await run(page, 'sh say.sh')
  await expect(said(page)).toHaveText(['green <b>no markup</b>', 'oops'])
  await expect(panel(page).locator('[data-from=stderr]')).toHaveText('oops')
  await expect(panel(page).getByText('Exit code 3')).toBeVisible()
  const green = panel(page).getByText('green', { exact: true })
  await expect(green).toHaveCSS('font-weight', '700')
  await expect(green).not.toHaveCSS(
    'color',
    await panel(page)
      .getByText('<b>no markup</b>')
      .evaluate((node) => getComputedStyle(node).color),
  )
})

test('the input is disabled while a command runs, Ctrl+C stops it, and the arrow keys recall earlier commands', async ({
  page,
  served,
}) => {
  await signIn(page, served)
  await open(page)
  await run(page, 'echo one')
  await expect(said(page)).toHaveText(['one'])
  await run(page, 'sleep 1000')
  await expect(field(page)).toBeDisabled()
  await page.keyboard.press('Control+c')
  await expect(panel(page).getByText('Stopped.', { exact: true })).toBeVisible()
  await expect(field(page)).toBeFocused()
  await field(page).fill('half')
  await page.keyboard.press('ArrowUp')
  await expect(field(page)).toHaveValue('sleep 1000')
  await page.keyboard.press('ArrowUp')
  await expect(field(page)).toHaveValue('echo one')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(field(page)).toHaveValue('half')
  await run(page, 'clear')
  await expect(said(page)).toHaveCount(0)
})

test('excessive output is truncated, the oldest lines are dropped, and the panel stays scrolled to the end', async ({ page, served }) => {
  await served.write('flood.sh', 'yes | head -n 5000; echo the end')
  await signIn(page, served)
  await open(page)
  await run(page, 'sh flood.sh')
  await expect(panel(page).getByText('the end')).toBeInViewport()
  await expect(panel(page).getByText('Earlier output was removed')).toHaveCount(1)
  expect(await said(page).count()).toBeLessThanOrEqual(2000)
})

test('forbidden commands and commands with an unclosed quote show an error', async ({ page, served }) => {
  await signIn(page, served)
  await open(page)
  await run(page, 'rm -rf /')
  await expect(panel(page).getByText('You don’t have permission to run “rm”.')).toBeVisible()
  await run(page, 'ls "')
  await expect(panel(page).getByText('Syntax error')).toBeVisible()
})

test('users without the execute permission see no shell', async ({ page, served }) => {
  await signIn(page, served, '/files/', 'clerk')
  await expect(page.getByRole('button', { name: /^Search/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Toggle shell' })).toHaveCount(0)
  await page.keyboard.press('Control+Backquote')
  await expect(panel(page)).toHaveCount(0)
})

test('pasted lines are shown for confirmation and then run in order', async ({ page, served, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, served)
  await open(page)
  await page.evaluate(() => navigator.clipboard.writeText('echo one\necho two\n'))
  await field(page).press('ControlOrMeta+v')
  await expect(page.getByRole('dialog', { name: 'Run 2 lines?' })).toContainText('echo two')
  await page.getByRole('button', { name: 'Run one after the other' }).click()
  await expect(said(page)).toHaveText(['one', 'two'])
})

test('the panel can be resized by pointer and keyboard, and keeps its size', async ({ page, served }) => {
  await signIn(page, served)
  await open(page)
  const edge = panel(page).getByRole('separator', { name: 'Shell height' })
  const height = async () => Math.round((await panel(page).boundingBox())?.height ?? 0)
  await expect.poll(height).toBe(320)
  await edge.focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(height).toBe(344)
  await page.keyboard.press('End')
  await expect.poll(height).toBe(140)
  const box = await edge.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 6)
  await page.mouse.down()
  await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 6 - 60, { steps: 4 })
  await page.mouse.up()
  await expect.poll(height).toBe(200)
  await page.reload()
  await page.getByRole('button', { name: 'Toggle shell' }).click()
  await expect.poll(height).toBe(200)
})

test('on a phone the shell is at the bottom', async ({ page, served }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await served.write('a.txt', '')
  await signIn(page, served)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Toggle shell' }).click()
  await run(page, 'ls')
  await expect(said(page)).toHaveText(['a.txt'])
  const box = await panel(page).boundingBox()
  expect([box?.x, box?.width, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([0, 390, 800])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('an upload refused by a hook shows the command and its output; administrators see other failures too', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/500/)
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await page.goto(`${served.url}/settings/global`)
  await expect(page.locator('[data-part=exec-state]')).toContainText('Programs run in a sandbox')
  await hook(page, 'Before upload', `sh -c 'echo full moon >&2; exit 1'`)
  await hook(page, 'Before delete', `sh -c 'echo keep it; exit 1'`)
  await hook(page, 'After rename', `sh -c 'echo renamed well'`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'Commands updated')
  await page.goto(`${served.url}/files/`)
  await page.locator('[data-part=pick-files]').setInputFiles({ name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  const tray = page.locator('[data-part=tray]')
  await expect(tray).toContainText('A command set up by your administrator blocked this action.')
  await tray.getByRole('button', { name: 'Output' }).click()
  await expect(tray.getByText('full moon')).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await row(page, 'a.txt').click()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
  const notice = page.getByRole('alert')
  await notice.getByText('Output').click()
  await expect(notice.getByText('keep it')).toBeVisible()
  await row(page, 'a.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await fillName(dialog(page, /^Rename/), 'b.txt')
  await page.keyboard.press('Enter')
  await expect(row(page, 'b.txt')).toBeVisible()
  await page.goto(`${served.url}/settings/global`)
  await page.locator('[data-part=hook-run]').getByText('After rename: a.txt').click()
  await expect(page.getByRole('region', { name: 'Output' })).toHaveText('renamed well')
  // Tall enough that no control is half under the header, where its visible part would be judged as all of it.
  await page.setViewportSize({ width: 1280, height: 2400 })
  await expectAccessible(page, 'the runs')
})

for (const theme of ['light', 'dark'] as const) {
  test(`the shell has no axe violations, ${theme}`, async ({ page, served }) => {
    await page.addInitScript((name) => localStorage.setItem('theme', name), theme)
    const colours = [...Array(8).keys()].map((n) => `printf '\\033[3${n}mword \\033[0;4${n}mword\\033[0m '`).join('; ')
    await served.write('colours.sh', `${colours}; printf '\\033[2mdim\\033[0;7minverse\\033[0m\\n'; echo oops >&2; exit 3`)
    await signIn(page, served)
    await open(page)
    await expectAccessible(page, 'empty')
    await run(page, 'sh colours.sh')
    await expect(panel(page).getByText('Exit code 3')).toBeVisible()
    await expectAccessible(page, 'with output')
  })
}

function panel(page: Page): Locator {
  return page.getByRole('region', { name: 'Shell' })
}

function field(page: Page): Locator {
  return panel(page).getByRole('textbox')
}

/** Every line of output. */
function said(page: Page): Locator {
  return panel(page).getByRole('log').locator('[data-part=shell-line]')
}

async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Toggle shell' }).click()
  await expect(field(page)).toBeVisible()
}

async function run(page: Page, line: string): Promise<void> {
  await field(page).fill(line)
  await field(page).press('Enter')
}

async function hook(page: Page, event: string, line: string): Promise<void> {
  await page.getByText(event, { exact: true }).first().click()
  await page.getByRole('textbox', { name: event }).fill(line)
}
