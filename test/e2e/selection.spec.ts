import type { Page } from '@playwright/test'
import { answer, choose, dialog, expectNames, expectSelected, row, tile } from './listing.ts'
import { expect, type Served, signIn, test } from './served.ts'

test('clicks select, take out, add, and reach from the first selected', async ({ page, served }) => {
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
  await row(page, 'a.txt').click()
  await expectSelected(page, ['b.txt', 'e.txt'])
  await row(page, 'c.txt').click()
  await expectSelected(page, ['c.txt'])
  await dock(page).getByRole('button', { name: 'Clear selection' }).click()
  await expectSelected(page, [])
  await expect(dock(page)).toBeHidden()
})

test('Ctrl+A selects all, Escape and a new place select nothing', async ({ page, served }) => {
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

test('multiple selection lets plain clicks add until Escape', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await page.getByRole('button', { name: 'Select multiple' }).click()
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

test('the keyboard alone finds, selects, renames, deletes and opens', async ({ page, served }) => {
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
  await expect(deleting.getByRole('button', { name: 'Delete' })).toBeFocused()
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

test('Shift+F10 opens the menu at the focused entry, and Escape gives the focus back', async ({ page, served }) => {
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
    /Rename/,
    /Cut/,
    /Copy/,
    /Copy to…/,
    /Move to…/,
    /Information/,
    /Delete/,
  ])
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(row(page, 'b.txt')).toBeFocused()
})

test('a right click takes the row below it, or keeps a selection that holds it', async ({ page, served }) => {
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
  await choose(page, row(page, 'c.txt'), 'Information')
  await expect(dialog(page, 'Information')).toContainText('c.txt')
  await answer(dialog(page, 'Information'), 'Close')
  await expect(row(page, 'c.txt')).toBeFocused()
})

test('no shortcut acts while typing or while a dialog is open', async ({ page, served }) => {
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

test('the mosaic is walked in both directions', async ({ page, served }) => {
  await fill(served)
  await signIn(page, served)
  await page.getByRole('radio', { name: 'Mosaic' }).check({ force: true })
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

async function fill(served: Served): Promise<void> {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await served.write(`${name}.txt`, name)
  await served.write('docs/inside.txt', '')
}

function dock(page: Page) {
  return page.getByRole('toolbar', { name: 'Selection' })
}
