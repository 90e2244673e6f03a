import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { answer, dialog, row } from './listing.ts'
import { expectNotice } from './notices.ts'
import { expect, PASSWORD, type Served, signIn, test } from './served.ts'

const FORM = { name: 'Global settings' }

test('an administrator creates accounts with permissions, rules, a name and a theme', async ({ page, served, elsewhere }) => {
  await served.write('kids/ben/toy.txt', 'toy')
  await served.write('kids/ben/secret/gift.txt', 'gift')
  await open(page, served, '/settings/users')
  await page.getByRole('link', { name: 'New user' }).click()
  await addPerson(page, { username: 'mum', scope: '/' }, async () => {
    await page.getByRole('checkbox', { name: 'Administrator' }).check()
    await expect(page.getByRole('checkbox', { name: 'Delete files and folders' })).toBeDisabled()
    await expect(page.getByRole('checkbox', { name: 'Delete files and folders' })).toBeChecked()
    await expect(page.getByRole('switch', { name: 'Prevent password changes' })).toBeDisabled()
  })
  await page.goto(`${served.url}/settings/users/new`)
  await addPerson(page, { username: 'ben', scope: '/kids/ben' }, async () => {
    await page.getByRole('checkbox', { name: 'Delete files and folders' }).uncheck()
    await page.getByRole('switch', { name: 'Prevent password changes' }).check()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.keyboard.type('/secret')
    await expect(page.getByRole('radiogroup', { name: 'Rule 1: allow or deny' }).getByRole('radio', { name: 'Deny' })).toBeChecked()
    await expect(page.getByText('ben will not see: secret')).toBeVisible()
    await page.getByLabel('Test a path').fill('secret/gift.txt')
    await expect(page.getByText('Hidden')).toBeVisible()
    await expect(page.getByText('rule 1 decides')).toBeVisible()
  })
  await page.goto(`${served.url}/settings/users/new`)
  await addPerson(page, { username: 'gran', scope: '/' }, async () => {
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  })
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  for (const name of ['mum', 'ben', 'gran']) await expect(page.getByRole('link', { name, exact: true })).toBeVisible()

  await page.getByRole('link', FORM).click()
  await page.getByLabel('Site name').fill('The Burrow')
  await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Light' }).press('ArrowRight')
  await expect(page.getByText('2 unsaved changes')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'Settings updated!')
  await expect(page.getByText('All changes saved')).toBeVisible()

  const childs = await elsewhere()
  await signIn(childs, served, '/files/', 'ben')
  await expect(childs.getByRole('banner').getByText('The Burrow')).toBeVisible()
  await expect(childs.locator('html')).toHaveClass(/theme-dark/)
  await expect(row(childs, 'toy.txt')).toBeVisible()
  await expect(row(childs, 'secret')).toHaveCount(0)
  await row(childs, 'toy.txt').click({ button: 'right' })
  await expect(childs.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
})

test('users without administration see the forbidden page', async ({ page, served }) => {
  await signIn(page, served, '/files/', 'clerk')
  for (const place of ['global', 'users', 'users/new', 'users/1']) {
    await page.goto(`${served.url}/settings/${place}`)
    await expect(page).toHaveURL(`${served.url}/403`)
    await expect(page.getByText('You don’t have permissions to access this.')).toBeVisible()
  }
})

test('server errors are shown at their field, and the input is kept', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 40[09]/)
  await open(page, served, '/settings/users/new')
  const form = page.getByRole('form', { name: 'New user' })
  await form.getByLabel('Username').fill('READER')
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await form.getByRole('button', { name: 'Create user' }).click()
  await expect(form.getByText('Username already taken')).toBeVisible()
  await form.getByLabel('Username').fill('nora')
  await form.getByLabel('Password', { exact: true }).fill('short')
  await form.getByRole('button', { name: 'Create user' }).click()
  await expect(form.getByText('Use at least 12 characters')).toBeVisible()
  await expect(form.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(form.getByLabel('Username')).toHaveValue('nora')
})

test('a user can be renamed, disabled and deleted, and the address of a missing user shows the form for a new one', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 40[34]/)
  await open(page, served, '/settings/users')
  await page.getByRole('link', { name: 'guest', exact: true }).click()
  await page.getByLabel('Username').fill('visitor')
  await page.getByRole('switch', { name: 'Account enabled' }).uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'User updated!')
  await expect(page.getByRole('heading', { name: 'User visitor' })).toBeVisible()
  await page.getByRole('link', { name: 'All users' }).click()
  await expect(page.getByRole('row', { name: /visitor/ }).getByText('Disabled')).toBeVisible()
  await page.getByRole('row', { name: /visitor/ }).click()
  await page.getByRole('button', { name: 'Delete user' }).click()
  await answer(dialog(page, 'Delete visitor?'), 'Delete user')
  await expectNotice(page, 'User deleted!')
  await expect(page).toHaveURL(`${served.url}/settings/users`)
  await expect(page.getByRole('link', { name: 'visitor' })).toHaveCount(0)
  await page.goto(`${served.url}/settings/users/99999`)
  await expect(page).toHaveURL(`${served.url}/settings/users/new`)
  await page.goto(`${served.url}/settings/users/1`)
  await page.getByRole('button', { name: 'Delete user' }).click()
  await answer(dialog(page, 'Delete admin?'), 'Delete user')
  await expectNotice(page, 'You don’t have permissions to access this.')
})

test('changes to an administrator’s own account apply at once', async ({ page, served }) => {
  await open(page, served, '/settings/users/1')
  await page.getByLabel('Username').fill('boss')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'User updated!')
  await expect(page.getByRole('banner').getByText('B', { exact: true })).toBeVisible()
})

test('leaving with unsaved changes asks first', async ({ page, served }) => {
  await open(page, served, '/settings/global')
  await page.getByRole('switch', { name: 'Allow sign-up' }).check()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(dialog(page, 'Discard changes?')).toBeVisible()
  await expectAccessible(page, 'a confirm')
  await answer(dialog(page, 'Discard changes?'), 'Cancel')
  await expect(page).toHaveURL(`${served.url}/settings/global`)
  await expect(page.getByRole('switch', { name: 'Allow sign-up' })).toBeChecked()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await dialog(page, 'Discard changes?').getByRole('button', { name: 'Discard changes' }).click()
  await expect(page).toHaveURL(`${served.url}/settings/users`)
  await page.getByRole('link', FORM).click()
  await expect(page.getByRole('switch', { name: 'Allow sign-up' })).not.toBeChecked()
})

test('two tabs do not overwrite each other’s changes, and a conflict asks', async ({ page, served, context }) => {
  await open(page, served, '/settings/global')
  const other = await context.newPage()
  await other.goto(`${served.url}/settings/global`)
  await other.getByLabel('Site name').fill('Theirs')
  // Focus on a page reads anew what nobody has touched; a change keeps it as it was.
  await page.getByRole('switch', { name: 'Hide links to external sites' }).check()
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(other, 'Settings updated!')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'Settings updated!')
  await expect(page.getByLabel('Site name')).toHaveValue('Theirs')

  await other.reload()
  await expect(other.getByRole('switch', { name: 'Hide links to external sites' })).toBeChecked()
  await page.getByLabel('Site name').fill('Mine')
  await other.getByLabel('Site name').fill('Theirs again')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(other, 'Settings updated!')
  // A dialog of a tab in the background does not fade out.
  await page.bringToFront()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await answer(dialog(page, 'Conflicting changes'), 'Cancel')
  await expect(page.getByLabel('Site name')).toHaveValue('Mine')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await answer(dialog(page, 'Conflicting changes'), 'Overwrite')
  await expectNotice(page, 'Settings updated!')
})

test('a sensitive change asks for the password, and again when it is wrong', async ({ page, served, complaints }) => {
  complaints.foresee(/status of 403/)
  await open(page, served, '/settings/global')
  const proofs: unknown[] = []
  // Signed in five minutes ago, as far as the page can tell.
  await page.route('**/api/settings', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    const { current_password: proof } = route.request().postDataJSON() as { current_password?: string }
    proofs.push(proof)
    if (proof === PASSWORD) return route.continue()
    return route.fulfill({ status: 403, json: { code: 'proof-needed', detail: {} } })
  })
  await page.getByRole('switch', { name: 'Allow sign-up' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const prompt = dialog(page, 'Confirm it’s you')
  await prompt.getByLabel('Current password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  await expect(prompt.getByText('This is not your current password')).toBeVisible()
  await prompt.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Settings updated!')
  expect(proofs).toEqual([undefined, 'wrong', PASSWORD])
})

test('rules can be added, reordered and removed by keyboard', async ({ page, served, complaints }) => {
  // What a rule would change is asked for while it is typed.
  complaints.foresee(/status of 400.*\/api\/effect/)
  await open(page, served, '/settings/global')
  const add = page.getByRole('button', { name: 'Add a rule' })
  for (const path of ['/a', '/a/b']) {
    await add.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type(path)
  }
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByRole('textbox', { name: 'Rule 1', exact: true })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Rule 1', exact: true })).toHaveValue('/a/b')
  await expect(page.getByText('Now rule 1 of 2')).toBeAttached()
  await page.getByRole('button', { name: 'Move rule 1 down' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Move rule 2 down' })).toBeFocused()
  await page.getByRole('radiogroup', { name: 'Rule 1: path or pattern' }).getByRole('radio', { name: 'Path' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('textbox', { name: 'Rule 1', exact: true }).fill('(')
  await expect(page.getByText(/Invalid regular expression/)).toBeVisible()
  await page.getByRole('button', { name: 'Delete rule 1' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Delete rule 1' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(add).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('users are shown as cards, forms have one column, and nothing overflows the screen', async ({ page, served }) => {
    await open(page, served, '/settings/users')
    await expectNoOverflow(page)
    await page.getByRole('row', { name: /reader/ }).tap()
    await page.getByRole('switch', { name: 'Account enabled' }).tap()
    await expectNoOverflow(page)
    await page.getByRole('button', { name: 'Discard' }).tap()
    await page.goto(`${served.url}/settings/global`)
    await page.getByRole('button', { name: 'Add a rule' }).tap()
    await expectNoOverflow(page)
  })
})

test('the administration screens have no axe violations', async ({ page, served }) => {
  await open(page, served, '/settings/global')
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByLabel('Test a path').fill('/a')
  await expect(page.getByText('no rule matches')).toBeVisible()
  // So high that nothing lies half under the bars.
  await page.setViewportSize({ width: 1280, height: 2600 })
  await expectAccessible(page, 'global settings')
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page.getByRole('link', { name: 'reader' })).toBeVisible()
  await expectAccessible(page, 'list of users')
  await page.getByRole('link', { name: 'admin', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'User admin' })).toBeVisible()
  await expectAccessible(page, 'form of a user')
})

test('U2: a folder is denied by choosing it, and the effect is explained before saving', async ({ page, served, elsewhere }) => {
  await served.write('docs/a.txt', 'a')
  await served.write('secret/plan.txt', 'plan')
  await open(page, served, '/settings/users')
  await page.getByRole('link', { name: 'reader' }).click()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('button', { name: 'Choose the folder of rule 1' }).click()
  const prompt = dialog(page, 'Choose a folder')
  await prompt.getByRole('button', { name: 'secret' }).click()
  await prompt.getByRole('button', { name: 'Choose this folder' }).click()
  await expect(page.getByRole('textbox', { name: 'Rule 1', exact: true })).toHaveValue('/secret')
  const preview = page.locator('[data-part=rules-preview]')
  await expect(preview).toContainText('reader will not see: secret')
  await expect(preview).toContainText('reader will see: docs')
  await page.setViewportSize({ width: 1280, height: 3200 })
  await expectAccessible(page, 'a rule and what it means')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectNotice(page, 'User updated!')
  const readers = await elsewhere()
  await signIn(readers, served, '/files/', 'reader')
  await expect(row(readers, 'docs')).toBeVisible()
  await expect(row(readers, 'secret')).toHaveCount(0)

  await page.goto(`${served.url}/settings/global`)
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.keyboard.type('/docs')
  await expect(preview).toContainText('Everybody will not see: docs')
  await page.getByRole('radiogroup', { name: 'Rule 1: allow or deny' }).getByRole('radio', { name: 'Allow' }).check({ force: true })
  await expect(preview).toContainText('Everybody will see: docs, secret')
})

test('U2: a new account gets a home folder unless the administrator chooses otherwise', async ({ page, served, elsewhere }) => {
  await served.write('secret/plan.txt', 'plan')
  await open(page, served, '/settings/users/new')
  const form = page.getByRole('form', { name: 'New user' })
  await form.getByLabel('Username').fill('bob')
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await expect(form.getByText('bob will see only what is in /users/bob, except what rules hide.')).toBeVisible()
  // So high that nothing lies half under the bars.
  await page.setViewportSize({ width: 1280, height: 1800 })
  await expectAccessible(page, 'the form of a new user')
  await form.getByRole('button', { name: 'Create user' }).click()
  await expectNotice(page, 'User created!')
  const bobs = await elsewhere()
  await signIn(bobs, served, '/files/', 'bob')
  await expect(bobs.locator('[data-part=listing]')).toBeVisible()
  await expect(row(bobs, 'secret')).toHaveCount(0)
  await expect(row(bobs, 'users')).toHaveCount(0)
})

async function open(page: Page, served: Served, path: string): Promise<void> {
  await signIn(page, served)
  await page.goto(served.url + path)
}

/** Fills the form for a new person and follows to the new record. */
async function addPerson(page: Page, { username, scope }: { username: string; scope: string }, more: () => Promise<void>): Promise<void> {
  const form = page.getByRole('form', { name: 'New user' })
  await form.getByLabel('Username').fill(username)
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await expect(form.getByRole('radio', { name: 'Their own folder' })).toBeChecked()
  if (scope === '/') {
    await form.getByRole('radio', { name: 'The whole served folder' }).check()
    await expect(form.getByText(`${username} will see every file that is served here, except what rules hide.`)).toBeVisible()
  } else {
    await form.getByRole('radio', { name: 'Another folder' }).check()
    await form.getByRole('textbox', { name: 'Folder' }).fill(scope)
    await expect(form.getByText(`${username} will see only what is in ${scope}, except what rules hide.`)).toBeVisible()
  }
  await more()
  await form.getByRole('button', { name: 'Create user' }).click()
  await expectNotice(page, 'User created!')
  await expect(page).toHaveURL(/\/settings\/users\/\d+$/)
  await expect(page.getByRole('heading', { name: `User ${username}` })).toBeVisible()
}

async function expectNoOverflow(page: Page): Promise<void> {
  const wider = await page.locator('#main').evaluate((main) => main.scrollWidth - main.clientWidth)
  expect(wider).toBeLessThanOrEqual(0)
}
