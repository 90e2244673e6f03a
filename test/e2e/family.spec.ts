import type { Page } from '@playwright/test'
import { pick } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, PASSWORD, type Served, test } from './served.ts'
import { wordsOf } from './words.ts'

for (const { locale, code, dir } of [
  { locale: 'en-GB', code: 'en', dir: 'ltr' },
  { locale: 'ar', code: 'ar', dir: 'rtl' },
]) {
  const say = wordsOf(code)

  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('an administrator sets up a family: sign-up with home folders, users, rules, a name and the dark theme', async ({
      page,
      served,
      elsewhere,
    }) => {
      await served.write('kids/ben/toy.txt', 'toy')
      await served.write('kids/ben/private/gift.txt', 'gift')
      await enter(page, served, 'admin')
      await expect(page.locator('html')).toHaveAttribute('dir', dir)

      await page.goto(`${served.url}/settings/global`)
      await page.getByRole('switch', { name: say('global.signup') }).check()
      await page.getByRole('switch', { name: say('global.create-home') }).check()
      await page
        .getByRole('button', { name: say('rules.add') })
        .first()
        .click()
      await page.keyboard.type('/private')
      await pick(page, say('rules.deny'))
      await page.getByLabel(say('global.name')).fill('The Burrow')
      await page
        .getByRole('radiogroup', { name: say('global.theme') })
        .getByRole('radio', { name: say('frame.theme.dark') })
        .check({ force: true })
      await page.locator('[data-part=global] button[type=submit]').click()
      await expectNotice(page, say('global.updated'))

      await addPerson(page, served, { username: 'mum', scope: '/' }, () => page.getByRole('checkbox', { name: say('perm.admin') }).check())
      await addPerson(page, served, { username: 'ben', scope: '/kids/ben' }, () =>
        page.getByRole('checkbox', { name: say('perm.delete') }).uncheck(),
      )

      const stranger = await elsewhere({ locale })
      await stranger.goto(`${served.url}/login?signup`)
      await stranger.getByLabel(say('login.username')).fill('noor')
      await stranger.getByLabel(say('login.password'), { exact: true }).fill(PASSWORD)
      await stranger.getByLabel(say('login.confirmation')).fill(PASSWORD)
      await stranger.getByRole('button', { name: say('login.signup.submit'), exact: true }).click()
      await expect(stranger.getByRole('heading', { name: say('files.empty.title') })).toBeVisible()
      await expect(stranger.locator('html')).toHaveClass(/theme-dark/)
      await expect(stranger.getByRole('banner').getByText('The Burrow')).toBeVisible()

      await page.goto(`${served.url}/settings/users`)
      for (const name of ['mum', 'ben', 'noor']) await expect(page.getByRole('link', { name, exact: true })).toBeVisible()

      const child = await elsewhere({ locale })
      await enter(child, served, 'ben')
      const items = child.locator('[data-item]')
      await expect(items).toHaveText([/toy\.txt/])
      await items.click({ button: 'right' })
      await expect(child.getByRole('menuitem', { name: say('files.action.rename') })).toBeVisible()
      await expect(child.getByRole('menuitem', { name: say('files.action.delete') })).toHaveCount(0)
    })
  })

  async function enter(page: Page, { url }: Served, username: string): Promise<void> {
    await page.goto(`${url}/login`)
    await page.getByLabel(say('login.username')).fill(username)
    await page.getByLabel(say('login.password'), { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: say('login.submit'), exact: true }).click()
    await page.waitForURL(/\/files/)
  }

  async function addPerson(
    page: Page,
    { url }: Served,
    { username, scope }: { username: string; scope: string },
    more: () => Promise<void>,
  ): Promise<void> {
    await page.goto(`${url}/settings/users/new`)
    await page.getByLabel(say('user.username')).fill(username)
    await page.getByLabel(say('user.password'), { exact: true }).fill(PASSWORD)
    if (scope === '/') await page.getByRole('radio', { name: say('user.reach.whole') }).check()
    else {
      await page.getByRole('radio', { name: say('user.reach.other') }).check()
      await page.getByRole('textbox', { name: say('user.reach') }).fill(scope)
    }
    await more()
    await page.getByRole('button', { name: say('user.create') }).click()
    await expect(page).toHaveURL(/\/settings\/users\/\d+$/)
    await expect(page.getByRole('heading', { name: say('user.title', { name: username }) })).toBeVisible()
  }
}
