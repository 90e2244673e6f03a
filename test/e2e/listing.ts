import { expect, type Locator, type Page } from '@playwright/test'

/** An entry of the list. */
export function row(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('button', { name: `Actions for ${name}`, exact: true }) })
}

/** An entry of the mosaic. */
export function tile(page: Page, name: string): Locator {
  return page.getByRole('gridcell').filter({ has: page.getByRole('button', { name: `Actions for ${name}`, exact: true }) })
}

/** The names of the list in their order, as far as they are in the document. */
export async function names(page: Page): Promise<string[]> {
  // In one step: row by row, a listing that changes meanwhile would be waited for.
  return page
    .getByRole('row')
    .getByRole('checkbox', { name: /^Select (?!all$)/ })
    .evaluateAll((boxes) => boxes.map((box) => (box.getAttribute('aria-label') ?? '').replace('Select ', '')))
}

export async function expectNames(page: Page, expected: string[]): Promise<void> {
  await expect.poll(() => names(page)).toEqual(expected)
}

export async function expectSelected(page: Page, expected: string[]): Promise<void> {
  // Not by their colour alone.
  const chosen = page.getByRole('row', { selected: true }).getByRole('checkbox', { checked: true })
  await expect(chosen).toHaveCount(expected.length)
  for (const name of expected) await expect(row(page, name)).toHaveAttribute('aria-selected', 'true')
}

/** Chooses from the menu of an entry. */
export async function choose(page: Page, entry: Locator, action: string): Promise<void> {
  await entry.click({ button: 'right' })
  await page.getByRole('menuitem', { name: action }).click()
}

/** One of a few that are all in sight, by what is drawn of it: its radio button is out of sight. */
export async function pick(page: Page, option: string): Promise<void> {
  await page.locator('label', { has: page.getByRole('radio', { name: option, exact: true }) }).click()
}

/** Uploads by the button of the listing. */
export async function pickFiles(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true, expanded: false }).click()
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Upload files' }).click()
  const chooser = await choosing
  await chooser.setFiles(files)
}

/** What is told of an entry beside the others. */
export function details(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Details' })
}

export function dialog(page: Page, title: string | RegExp): Locator {
  return page.getByRole('dialog', { name: title })
}

/** Types the name that a dialog asks for. */
export async function fillName(prompt: Locator, name: string): Promise<void> {
  const field = prompt.getByRole('textbox')
  // With the focus comes the selection of the name without its ending; filled before, the ending would stay.
  await expect(field).toBeFocused()
  await field.fill(name)
}

/** Answers a dialog and waits until it is gone. */
export async function answer(prompt: Locator, button: string): Promise<void> {
  await prompt.getByRole('button', { name: button, exact: true }).click()
  await expect(prompt).toHaveCount(0)
}
