import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expectNames, expectSelected, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

/** The next attempt may be a while away. */
const IN_TIME = { timeout: 120_000 }

test('changes on the disk or in another session appear at once, and focus and scroll position are kept', async ({
  page,
  served,
  elsewhere,
}) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await served.write(name, name)
  await signIn(page, served)
  await expectNames(page, ['a.txt', 'b.txt', 'c.txt'])
  await row(page, 'b.txt').click()

  // From the disk: new, larger, renamed, gone.
  await served.write('aa.txt', 'new')
  await expect(row(page, 'aa.txt')).toBeVisible()
  await served.write('c.txt', 'x'.repeat(5000))
  await expect(row(page, 'c.txt')).toContainText('5 kB')
  await rename(join(served.root, 'aa.txt'), join(served.root, 'z.txt'))
  await expect(row(page, 'z.txt')).toBeVisible()
  await rm(join(served.root, 'a.txt'))
  await expectNames(page, ['b.txt', 'c.txt', 'z.txt'])
  await expectSelected(page, ['b.txt'])

  // An open dialog stays open with its input.
  await page.keyboard.press('F2')
  const field = page.getByRole('dialog').getByRole('textbox')
  await field.fill('typed.txt')
  await mkdir(join(served.root, 'folder'))
  await expect(page.getByRole('row', { includeHidden: true }).filter({ hasText: 'folder' })).toBeVisible()
  await expect(field).toHaveValue('typed.txt')
  await page.keyboard.press('Escape')
  await expectSelected(page, ['b.txt'])

  // From another session.
  const other = await elsewhere()
  await signIn(other, served)
  await row(other, 'z.txt').click()
  await other.keyboard.press('Delete')
  await other.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
  await expect(row(page, 'z.txt')).toHaveCount(0)
  await other.close()
})

test('a lost event connection reconnects and shows the changes in between', async ({ page, served, complaints }) => {
  complaints.foresee(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/)
  await served.write('a.txt', 'a')
  await signIn(page, served)
  await expectNames(page, ['a.txt'])
  // The line is there, and so is everything that a page fetches when it has time.
  await served.write('aa.txt', 'a')
  await expect(row(page, 'aa.txt')).toBeVisible(IN_TIME)
  await row(page, 'aa.txt').click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await served.kill()
  await served.write('b.txt', 'b')
  await served.start()
  await expect(row(page, 'b.txt')).toBeVisible(IN_TIME)
  await served.write('c.txt', 'c')
  await expect(row(page, 'c.txt')).toBeVisible()
})
