import type { Locator, Page } from '@playwright/test'
import { choose, details, dialog, expectNames, expectSelected, row, tile, pick } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, type Served, signIn, test } from './served.ts'

test('clicks select, deselect and extend the selection, and Shift selects a range', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await row(page, 'b.txt').click()
  await expectSelected(page, ['b.txt'])
  await row(page, 'd.txt').click({ modifiers: ['Shift'] })
  await expectSelected(page, ['b.txt', 'c.txt', 'd.txt'])
  await row(page, 'a.txt').click({ modifiers: ['Shift'] })
  await expectSelected(page, ['a.txt', 'b.txt'])
  await row(page, 'e.txt').click({ modifiers: ['ControlOrMeta'] })
  await expectSelected(page, ['a.txt', 'b.txt', 'e.txt'])
  await expect(dock(page)).toContainText('3 selected')
  await row(page, 'a.txt').click({ modifiers: ['ControlOrMeta'] })
  await expectSelected(page, ['b.txt', 'e.txt'])
  await row(page, 'c.txt').click()
  await expectSelected(page, ['c.txt'])
  await dock(page).getByRole('button', { name: 'Clear selection' }).click()
  await expectSelected(page, [])
  await expect(dock(page)).toBeHidden()
})

test('Ctrl+A selects everything, and Escape or navigation clears the selection', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(dock(page)).toContainText('6 selected')
  await page.keyboard.press('Escape')
  await expectSelected(page, [])
  await row(page, 'a.txt').click()
  await row(page, 'docs').dblclick()
  await expect(row(page, 'inside.txt')).toBeVisible()
  await page.goBack()
  await expect(row(page, 'a.txt')).toBeVisible()
  await expectSelected(page, [])
})

test('in multiple-selection mode plain clicks add to the selection until Escape', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Select multiple' }).click()
  await row(page, 'a.txt').click()
  await row(page, 'c.txt').click()
  await row(page, 'd.txt').getByRole('checkbox').check()
  await expectSelected(page, ['a.txt', 'c.txt', 'd.txt'])
  await row(page, 'a.txt').click()
  await expectSelected(page, ['c.txt', 'd.txt'])
  await page.keyboard.press('Escape')
  await expectSelected(page, [])
  await row(page, 'b.txt').click()
  await row(page, 'e.txt').click()
  await expectSelected(page, ['e.txt'])
})

test('finding, selecting, renaming, deleting and opening work by keyboard alone', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await row(page, 'docs').focus()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'a.txt')).toBeFocused()
  await expectSelected(page, ['a.txt'])
  await page.keyboard.press('Shift+ArrowDown')
  await expectSelected(page, ['a.txt', 'b.txt'])
  await page.keyboard.press('ControlOrMeta+ArrowDown')
  await page.keyboard.press('ControlOrMeta+ArrowDown')
  await page.keyboard.press('Space')
  await expectSelected(page, ['a.txt', 'b.txt', 'd.txt'])
  await page.keyboard.press('Delete')
  const deleting = dialog(page, 'Delete 3 items?')
  await expect(deleting.getByRole('button', { name: 'Move to trash' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectNames(page, ['docs', 'c.txt', 'e.txt'])
  await expect(row(page, 'e.txt')).toBeFocused()
  await page.keyboard.press('c')
  await expect(row(page, 'c.txt')).toBeFocused()
  await page.keyboard.press('F2')
  const field = dialog(page, 'Rename “c.txt”').getByRole('textbox')
  await expect(field).toBeFocused()
  await page.keyboard.type('see')
  await page.keyboard.press('Enter')
  await expect(row(page, 'see.txt')).toBeFocused()
  await expectSelected(page, ['see.txt'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'see.txt' })).toBeFocused()
})

test('Shift+F10 opens the menu at the focused entry, and Escape returns focus', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await row(page, 'b.txt').focus()
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu', { name: 'Actions' })
  await expect(menu).toBeVisible()
  await expectSelected(page, ['b.txt'])
  await expect(menu.getByRole('menuitem')).toHaveText([
    /Open/,
    /Download/,
    /Share/,
    /Add to favourites/,
    /Rename/,
    /Cut/,
    /Copy/,
    /Copy to…/,
    /Move to…/,
    /Compress…/,
    /Details/,
    'Activity',
    /Version history/,
    /Access…/,
    /Delete/,
  ])
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(row(page, 'b.txt')).toBeFocused()
})

test('a right click selects the row, or keeps a selection that contains it', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] })
  await row(page, 'b.txt').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expectSelected(page, ['a.txt', 'b.txt'])
  await choose(page, row(page, 'c.txt'), 'Details')
  await expect(details(page)).toContainText('c.txt')
  await details(page).getByRole('button', { name: 'Close' }).click()
  await expect(row(page, 'c.txt')).toBeFocused()
})

test('shortcuts are disabled while typing and while a dialog is open', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await page.keyboard.press('F2')
  const prompt = dialog(page, 'Rename “a.txt”')
  await prompt.getByRole('textbox').press('ControlOrMeta+a')
  await prompt.getByRole('textbox').press('Delete')
  await expect(prompt.getByRole('textbox')).toHaveValue('')
  await page.keyboard.press('F1')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(prompt).toHaveCount(0)
  await expectSelected(page, ['a.txt'])
  await page.keyboard.press('F1')
  await expect(dialog(page, 'Help')).toContainText('Rename')
})

test('arrow keys work in both directions in the grid', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await pick(page, 'Mosaic')
  await tile(page, 'docs').focus()
  await page.keyboard.press('ArrowDown')
  await expect(tile(page, 'a.txt')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tile(page, 'b.txt')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('End')
  await expect(tile(page, 'e.txt')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(tile(page, 'inside.txt')).toBeVisible()
})

test('Page keys, Home, End and first letters navigate a long list', async ({ page, served }) => {
  for (let n = 1; n <= 120; n++) await served.write(`file ${n}.txt`, '')
  await served.write('zebra.txt', '')
  await signIn(page, served)
  await row(page, 'file 1.txt').focus()
  await page.keyboard.press('PageDown')
  await expect(row(page, 'file 1.txt')).not.toBeFocused()
  await expect(page.getByRole('row').and(page.locator(':focus'))).toBeInViewport()
  await page.keyboard.press('PageUp')
  await expect(row(page, 'file 1.txt')).toBeFocused()
  await page.keyboard.press('End')
  await expect(row(page, 'zebra.txt')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.type('file 11')
  await expect(row(page, 'file 11.txt')).toBeFocused()
  await page.keyboard.press('Shift+End')
  await expect(dock(page)).toContainText('111 selected')
})

test('the focused row stays in the document when it is scrolled out of view, and the keyboard continues from it', async ({
  page,
  served,
}) => {
  for (let n = 1; n <= 300; n++) await served.write(`file ${n}.txt`, '')
  await signIn(page, served)
  await row(page, 'file 5.txt').click()
  await page.mouse.wheel(0, 6000)
  await expect(row(page, 'file 150.txt')).toBeAttached()
  await expect(row(page, 'file 5.txt')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'file 6.txt')).toBeFocused()
  await expect(row(page, 'file 6.txt')).toBeInViewport()
})

test('Back restores the scroll position in a long folder and the last opened entry', async ({ page, served }) => {
  for (let n = 1; n <= 200; n++) await served.write(`file ${n}.txt`, `${n}`)
  await signIn(page, served)
  const grid = page.getByRole('grid')
  await row(page, 'file 1.txt').hover()
  await page.mouse.wheel(0, 4000)
  await expect(row(page, 'file 105.txt')).toBeInViewport()
  await expect.poll(() => grid.evaluate((element) => element.scrollTop)).toBe(4000)
  await row(page, 'file 105.txt').dblclick()
  await expect(page.getByRole('textbox', { name: 'file 105.txt' })).toBeFocused()
  await page.goBack()
  await expect(row(page, 'file 105.txt')).toBeFocused()
  await expect.poll(() => grid.evaluate((element) => element.scrollTop)).toBe(4000)
})

test('with single click enabled a click opens, and checkboxes and Ctrl select', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await page.goto(`${served.url}/settings/profile`)
  await page.getByRole('switch', { name: 'Open with a single click' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expectNotice(page, 'Settings updated!')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My files' }).click()
  await row(page, 'a.txt').click({ modifiers: ['ControlOrMeta'] })
  await row(page, 'b.txt').hover()
  await row(page, 'b.txt').getByRole('checkbox').check()
  await expectSelected(page, ['a.txt', 'b.txt'])
  await row(page, 'docs').click()
  await expect(row(page, 'inside.txt')).toBeVisible()
})

test('sorting, switching the view, creating a folder, moving into it and going up work by keyboard alone', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await page.getByRole('button', { name: 'Size' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'New folder' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'New folder').getByRole('textbox')).toBeFocused()
  await page.keyboard.type('target')
  await page.keyboard.press('Enter')
  await expect(row(page, 'target')).toBeFocused()
  await page.keyboard.press('a')
  await expect(row(page, 'a.txt')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+x')
  await row(page, 'target').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: 'Path' })).toContainText('target')
  await page.keyboard.press('ControlOrMeta+v')
  await expectNames(page, ['a.txt'])
  await page.keyboard.press('Alt+ArrowUp')
  await expect(row(page, 'target')).toBeFocused()
  await page.getByRole('radio', { name: 'List' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(tile(page, 'target')).toBeVisible()
})

test('the grid has separate headings for folders and files, and Shift selects across rows', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await pick(page, 'Mosaic')
  await expect(page.getByText('Folders', { exact: true })).toBeVisible()
  await expect(page.getByText('Files', { exact: true })).toBeVisible()
  await tile(page, 'a.txt').click()
  await tile(page, 'd.txt').click({ modifiers: ['Shift'] })
  await expect(dock(page)).toContainText('4 selected')
})

test('a rubber band selects the entries it touches, also unrendered ones; Ctrl adds and Escape cancels', async ({ page, served }) => {
  for (let n = 1; n <= 150; n++) await served.write(`file ${n}.txt`, '')
  await signIn(page, served)
  const size = async (name: string) => middle(row(page, name).locator('[data-column=size]'))
  await page.mouse.move(...(await size('file 2.txt')))
  await page.mouse.down()
  await page.mouse.move(...(await size('file 4.txt')), { steps: 4 })
  await page.mouse.up()
  await expectSelected(page, ['file 2.txt', 'file 3.txt', 'file 4.txt'])
  await page.keyboard.down('Control')
  await page.mouse.move(...(await size('file 7.txt')))
  await page.mouse.down()
  await page.mouse.move(...(await size('file 8.txt')), { steps: 4 })
  await page.mouse.up()
  await page.keyboard.up('Control')
  await expectSelected(page, ['file 2.txt', 'file 3.txt', 'file 4.txt', 'file 7.txt', 'file 8.txt'])
  const [x, y] = await size('file 5.txt')
  await page.mouse.move(x, y)
  await page.mouse.down()
  // Held at the lower edge it scrolls to the end.
  await page.mouse.move(x + 30, 799, { steps: 4 })
  await expect(dock(page)).toContainText('146 selected')
  await expect(page.locator('[data-item]').nth(90)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dock(page)).toContainText('5 selected')
  await page.mouse.up()
  await expect(dock(page)).toContainText('5 selected')
  await pick(page, 'Gallery')
  await tile(page, 'file 2.txt').focus()
  await page.keyboard.press('Home')
  await expect(tile(page, 'file 1.txt')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dock(page)).toBeHidden()
  const [left, top] = await corner(tile(page, 'file 1.txt'))
  await page.mouse.move(left - 6, top + 20)
  await page.mouse.down()
  await page.mouse.move(left + 40, top + 60, { steps: 4 })
  await expect(page.locator('[data-part=rubber-band]')).toBeVisible()
  await page.mouse.up()
  await expect(page.locator('[data-part=rubber-band]')).toHaveCount(0)
  await expect(dock(page)).toContainText('1 selected')
})

async function middle(locator: Locator): Promise<[number, number]> {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('nothing to press on')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

async function corner(locator: Locator): Promise<[number, number]> {
  await expect(locator).toBeVisible()
  const box = await locator.boundingBox()
  if (box === null) throw new Error('nothing to press beside')
  return [box.x, box.y]
}

async function fill(served: Served): Promise<void> {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await served.write(`${name}.txt`, name)
  await served.write('docs/inside.txt', '')
}

function dock(page: Page) {
  return page.getByRole('toolbar', { name: 'Selection' })
}

test('U15: F2 on several entries explains why nothing happens, and a pasted image gets a new name', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await row(page, 'a.txt').click()
  await row(page, 'c.txt').click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('F2')
  await expectNotice(page, 'Select one item to rename it.')
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(page.getByRole('row', { name: /Pasted image \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png/ })).toBeVisible()
})
