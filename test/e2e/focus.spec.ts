import type { Locator, Page } from '@playwright/test'
import { dialog, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { PNG } from './samples.ts'
import { expect, PASSWORD, signIn, test } from './served.ts'

/** In CSS pixels (WCAG 2.4.13). */
const LEAST_RING = 2

test('closing a menu, dialog or preview returns focus to the element that opened it', async ({ page, served }) => {
  await served.write('docs/a.txt', 'a')
  await signIn(page, served)
  await expect(row(page, 'docs')).toBeVisible()
  for (const opener of ['Upload', 'Actions', 'Theme', 'Account'])
    await expectBack(page, page.getByRole('button', { name: opener }).first(), 'menu')
  await expectBack(page, page.getByRole('button', { name: 'Help' }).first(), 'dialog')
  await page.goto(`${served.url}/settings/users`)
  await page.getByRole('link', { name: 'reader' }).click()
  await expectBack(page, page.getByRole('button', { name: 'Delete user' }), 'dialog')
})

test('the skip link moves to the content without a history entry', async ({ page, served }) => {
  await served.write('docs/a.txt', 'a')
  await signIn(page, served)
  await page.goto(`${served.url}/files/docs/`)
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
})

test('the focused element has a visible indicator and is never covered, in a long list with a selection and on the other screens', async ({
  page,
  served,
}) => {
  for (let n = 0; n < 60; n++) await served.write(`file ${n}.txt`, '')
  await signIn(page, served)
  await row(page, 'file 0.txt').click()
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible()
  for (const key of ['End', 'Home']) {
    await page.keyboard.press(key)
    await expectShown(page, 'the end of a list')
  }
  await walkThrough(page, 'the listing', 20)
  for (const [place, stops] of [
    ['/settings/profile', 20],
    ['/settings/global', 25],
    ['/settings/users', 8],
  ] as const) {
    await page.goto(served.url + place)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await walkThrough(page, place, stops)
  }
})

test('sign-in, search, sharing, rename, move, upload, settings and sign-out work by keyboard alone', async ({ page, served }) => {
  await served.write('docs/inside.txt', '')
  await served.write('deep/note.txt', 'note')
  const { keyboard } = page
  const say = async (text: string, then = 'Enter') => {
    await keyboard.type(text)
    await keyboard.press(then)
  }
  const command = async (name: string) => {
    await keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await keyboard.type(name)
    await expect(page.getByRole('option', { selected: true })).toContainText(name)
    await keyboard.press('Enter')
  }
  await page.goto(served.url)
  await expect(page.getByLabel('Username')).toBeFocused()
  await say('admin', 'Tab')
  await say(PASSWORD)
  await expect(row(page, 'docs')).toBeVisible()

  await keyboard.press('ControlOrMeta+f')
  await expect(page.getByRole('textbox', { name: 'Search by name' })).toBeFocused()
  await say('note')
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('dialog').getByRole('link')).toBeFocused()
  for (const key of ['ArrowRight', 'Enter']) await keyboard.press(key)
  await expect(row(page, 'note.txt')).toBeFocused()

  await keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeFocused()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await keyboard.press(key)
  await expect(page.getByRole('menuitem', { name: 'Share' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(dialog(page, 'Share “note.txt”').getByRole('radio', { name: 'Never' })).toBeFocused()
  await say('2')
  await expect(dialog(page, 'Share “note.txt”').getByRole('button', { name: /^Copy link/ })).toBeFocused()
  await keyboard.press('Escape')
  await expect(row(page, 'note.txt')).toBeFocused()

  await keyboard.press('F2')
  await expect(dialog(page, /^Rename/).getByRole('textbox')).toBeFocused()
  await say('list')
  await expect(row(page, 'list.txt')).toBeFocused()
  for (const key of ['ControlOrMeta+x', 'Alt+ArrowUp']) await keyboard.press(key)
  await expect(row(page, 'deep')).toBeFocused()
  await say('docs')
  await expect(row(page, 'inside.txt')).toBeVisible()
  await keyboard.press('ControlOrMeta+v')
  await expect(row(page, 'list.txt')).toBeVisible()

  const choosing = page.waitForEvent('filechooser')
  await command('Upload files')
  await (await choosing).setFiles({ name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('new') })
  await expect(row(page, 'new.txt')).toBeVisible()

  await command('Profile settings')
  const dotfiles = page.getByRole('switch', { name: 'Hide dotfiles' })
  await expect(dotfiles).toBeVisible()
  // Through everything that comes before it, into nothing that does not let go.
  await expect(async () => {
    await keyboard.press('Tab')
    await expect(dotfiles).toBeFocused({ timeout: 1 })
  }).toPass({ intervals: [0] })
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await expectNotice(page, 'Settings updated!')
  await command('Sign out')
  await expect(page).toHaveURL(`${served.url}/login`)
})

test('F1 opens help on every page of a signed-in user', async ({ page, served }) => {
  await served.write('note.txt', 'note')
  await served.write('photo.png', PNG)
  await signIn(page, served)
  for (const place of ['/files/', '/files/note.txt', '/files/photo.png', '/settings/profile']) {
    await page.goto(served.url + place)
    await expect(page.locator('[data-part=header], [data-part=preview]').first()).toBeVisible()
    // As somebody who presses again when the page was not ready yet.
    await expect(async () => {
      await page.keyboard.press('F1')
      await expect(dialog(page, 'Help')).toBeVisible({ timeout: 1000 })
    }).toPass()
  }
})

async function expectBack(page: Page, opener: Locator, what: 'menu' | 'dialog'): Promise<void> {
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole(what)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole(what)).toHaveCount(0)
  await expect(opener).toBeFocused()
}

async function walkThrough(page: Page, what: string, stops: number): Promise<void> {
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press('Tab')
    await expectShown(page, what)
  }
}

/** The focus is drawn around it or around what stands for it, and its middle is on top. */
async function expectShown(page: Page, what: string): Promise<void> {
  const wrong = () =>
    page.evaluate((least) => {
      const { activeElement: element } = document
      if (element === null || element === document.body) return null
      const around: Element[] = []
      for (let one: Element | null = element; one !== null && around.length < 4; one = one.parentElement) around.push(one)
      const ringed = around.some((one) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= least) || /\b[2-9]px\b/.test(boxShadow)
      })
      const { x, y, width, height } = element.getBoundingClientRect()
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      const seen = width <= 1 || around.some((one) => one === top || one.contains(top) || (top?.contains(element) ?? false))
      return ringed && seen ? null : `${element.outerHTML.slice(0, 120)} ${ringed ? 'is covered' : 'has no ring'}`
    }, LEAST_RING)
  await expect.poll(wrong, { message: what }).toBeNull()
}
