import { expectAccessible } from './axe.ts'
import { dialog, row } from './listing.ts'
import { expect, PASSWORD, signIn, test } from './served.ts'
import { wordsOf } from './words.ts'

test('what a rule and a membership would open and close is told before it is saved', async ({ page, served }) => {
  await served.write('docs/plan.txt', 'plan')
  await served.write('docs/deep/more.txt', 'more')
  await signIn(page, served)
  await page.goto(`${served.url}/settings/users`)
  await page.getByRole('link', { name: 'reader', exact: true }).click()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.locator('[data-rule="0"] [data-rule-part=text]').fill('/docs')
  const effect = page.locator('[data-part=effect]')
  await expect(effect).toContainText('Would no longer be possible – people affected: 1', { timeout: 20_000 })
  await expect(effect).toContainText('reader: 2 folders, 2 files')
  await page.locator('[data-rule="0"] [data-rule-part=text]').fill('/nowhere')
  await expect(effect).toContainText('Nothing would open or close for anybody.')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(effect).toBeEmpty()
})

test('an administrator looks at the files as somebody else, changes nothing, and leaves', async ({ page, served, elsewhere }) => {
  await served.write('docs/plan.txt', 'the plan')
  await signIn(page, served)
  await page.goto(`${served.url}/settings/users`)
  await page.getByRole('link', { name: 'clerk', exact: true }).click()
  await page.getByRole('button', { name: 'View as this user' }).click()
  await dialog(page, 'View the files as clerk?').getByRole('button', { name: 'View as this user' }).click()
  const proof = page.getByRole('dialog').getByLabel('Current password')
  await proof.or(page.locator('[data-part=viewing]')).first().waitFor()
  if (await proof.isVisible()) {
    await proof.fill(PASSWORD)
    await page.keyboard.press('Enter')
  }
  const banner = page.locator('[data-part=viewing]')
  await expect(banner).toContainText('You see the files as clerk does, read-only')
  await expect(row(page, 'docs')).toBeVisible()
  await row(page, 'docs').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expectAccessible(page, 'the files of somebody else')
  await row(page, 'docs').dblclick()
  await row(page, 'plan.txt').dblclick()
  await expect(page.getByText('the plan')).toBeVisible()
  await banner.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(`${served.url}/files/`)
  await expect(page.locator('[data-part=viewing]')).toHaveCount(0)

  const clerk = await elsewhere()
  await signIn(clerk, served, '/files/', 'clerk')
  await clerk.goto(`${served.url}/settings/profile`)
  await expect(clerk.getByRole('list', { name: 'Viewed as you' })).toContainText('admin')
})

test('on a phone, in Arabic, a change is told and a view can be left', async ({ served, elsewhere, complaints }) => {
  // What the page asks for while the view ends is refused.
  complaints.foresee(/status of 404 .*\/view-as\//)
  const t = wordsOf('ar')
  await served.write('docs/plan.txt', 'plan')
  const phone = await elsewhere({ viewport: { width: 390, height: 844 }, locale: 'ar' })
  await signIn(phone, served)
  await phone.goto(`${served.url}/settings/users`)
  await phone.getByRole('link', { name: 'clerk', exact: true }).click()
  await phone.getByRole('button', { name: t('rules.add') }).click()
  await phone.locator('[data-rule="0"] [data-rule-part=text]').fill('/docs')
  await expect(phone.locator('[data-part=effect]')).toContainText('clerk', { timeout: 20_000 })
  await phone.getByRole('button', { name: t('form.discard') }).click()
  await phone.getByRole('button', { name: t('view.as') }).click()
  await phone
    .getByRole('dialog')
    .getByRole('button', { name: t('view.as') })
    .click()
  await expect(phone.locator('[data-part=viewing]')).toContainText('clerk')
  const width = await phone.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  await expectAccessible(phone, 'the files of somebody else in Arabic')
  await phone
    .locator('[data-part=viewing]')
    .getByRole('button', { name: t('view.leave') })
    .click()
  await expect(phone.locator('[data-part=viewing]')).toHaveCount(0)
})
