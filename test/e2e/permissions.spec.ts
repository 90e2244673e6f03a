import { pickFiles, row } from './listing.ts'
import { PNG } from './samples.ts'
import { expect, signIn, test } from './served.ts'

test('who has no right at all sees the files and is offered nothing to do with them', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await served.write('docs/b.png', PNG)
  await signIn(page, served, '/files/', 'guest')
  await expect(row(page, 'a.txt')).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await expect(navigation.getByRole('button', { name: /New/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Upload' })).toHaveCount(0)
  await row(page, 'a.txt').click()
  const dock = page.getByRole('toolbar', { name: 'Selection' })
  await expect(dock.getByRole('button')).toHaveCount(1)
  await expect(dock.getByRole('button', { name: 'Clear selection' })).toBeVisible()
  await expect(row(page, 'a.txt')).toHaveAttribute('draggable', 'false')
  await row(page, 'a.txt').click({ button: 'right' })
  await expect(page.getByRole('menuitem')).toHaveText([/Open/, /Add to favourites/, /Information/])
  await page.keyboard.press('Escape')
  for (const key of ['F2', 'Delete', 'ControlOrMeta+c', 'ControlOrMeta+x']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+v')
  await page.goto(`${served.url}/files/docs/b.png`)
  await expect(page.getByText('You don’t have permission to open this.')).toBeVisible()
  for (const name of ['Rename', 'Delete', 'Download']) await expect(page.getByRole('button', { name })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Download' })).toHaveCount(0)
})

test('a reader may download and look, not change', async ({ page, served }) => {
  await served.write('a.txt', 'a')
  await signIn(page, served, '/files/', 'reader')
  await row(page, 'a.txt').click({ button: 'right' })
  await expect(page.getByRole('menuitem')).toHaveText([/Open/, /Download/, /Add to favourites/, /Information/])
})

test('who may create but not modify is never offered to replace', async ({ page, served }) => {
  await served.write('a.txt', 'new')
  await served.write('docs/a.txt', 'old')
  await signIn(page, served, '/files/', 'clerk')
  await row(page, 'a.txt').click()
  await page.keyboard.press('ControlOrMeta+c')
  await row(page, 'docs').dblclick()
  await expect(page.getByRole('navigation', { name: 'Path' })).toContainText('docs')
  await page.keyboard.press('ControlOrMeta+v')
  const clash = page.getByRole('dialog', { name: '“a.txt” already exists' })
  await expect(clash.getByRole('radio', { name: 'Keep both' })).toBeVisible()
  await expect(clash.getByRole('radio', { name: 'Replace' })).toHaveCount(0)
})

test('who may create but not modify is not offered to replace by an upload either', async ({ page, served }) => {
  await served.write('a.txt', 'old')
  await signIn(page, served, '/files/', 'clerk')
  await pickFiles(page, [{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('new') }])
  const clash = page.getByRole('dialog', { name: '“a.txt” already exists' })
  await expect(clash.getByRole('radio', { name: 'Keep both' })).toBeVisible()
  await expect(clash.getByRole('radio', { name: 'Replace' })).toHaveCount(0)
})
