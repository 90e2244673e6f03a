import { BASE, groupDn, group, person, personDn, SEARCHER, startSlapd } from '../ldap/slapd.ts'
import { signInByForm, test } from './served.ts'
test('pictures', async ({ page, served, complaints }) => {
  complaints.foresee(/./)
  using slapd = await startSlapd([person('ada', { mail: 'ada@example.org' }), group('it', [personDn('ada')])].join(''))
  const session = served.takeSession()
  const headers = { 'x-auth': session?.token ?? '', cookie: `${session?.cookie.name}=${session?.cookie.value}` }
  const body = { id: 'corp', name: 'Corp', urls: [slapd.ldaps], ca: slapd.ca, bindDn: SEARCHER.dn, bindPassword: SEARCHER.password, baseDn: BASE, create: true, admin: [groupDn('it')] }
  await fetch(`${served.url}/api/directories`, { method: 'POST', headers, body: JSON.stringify(body) })
  await page.goto(`${served.url}/login`)
  await page.getByRole('textbox', { name: 'Username' }).fill('nobody')
  await page.getByRole('textbox', { name: 'Password' }).fill('x')
  await signInByForm(page, served)
  for (const [name, width, scheme, locale] of [['en-light-1280', 1280, 'light', 'en'], ['en-dark-390', 390, 'dark', 'en'], ['ar-light-390', 390, 'light', 'ar'], ['ar-dark-1280', 1280, 'dark', 'ar']] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(async ([language, theme]) => {
      const token = localStorage.getItem('jwt') ?? ''
      const [, claims = ''] = token.split('.')
      const { user } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')))
      await fetch(`/api/users/${user.id}`, { method: 'PUT', headers: { 'x-auth': token, 'x-satchel-web': '1' }, body: JSON.stringify({ what: 'user', which: ['locale'], data: { id: user.id, locale: language } }) })
      localStorage.setItem('theme', theme)
    }, [locale, scheme] as const)
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(`${served.url}/settings/sign-in`)
    await page.getByText('Corp', { exact: true }).first().click()
    const trial = page.locator('[data-part=directory-check]')
    await trial.waitFor()
    await trial.getByRole('button').click()
    const last = page.getByRole('group', { name: /Corp/ }).last()
    await last.getByRole('textbox').first().fill('ada')
    await last.locator('input[type=password]').fill('password of ada')
    await page.keyboard.press('Enter')
    await page.locator('[data-part=trial]').waitFor()
    await page.screenshot({ path: `/tmp/ldap/${name}.png`, fullPage: true })
    await page.locator('[data-part=trial]').screenshot({ path: `/tmp/ldap/${name}-trial.png` })
  }
})
