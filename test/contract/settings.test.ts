import { describe, expect, it } from 'bun:test'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { pageConfig } from '../../src/server/settings/page-config.ts'
import { ROOT } from '../../src/shared/file-path.ts'
import { deny, onEachStorage, PASSWORD } from './world.ts'

const MINUTE_MS = 60_000
const HOOKS = ['copy', 'delete', 'rename', 'save', 'upload']
  .flatMap((operation) => [`after_${operation}`, `before_${operation}`])
  .toSorted()
const PAGE = {
  baseUrl: '',
  version: '1',
  enableExec: false,
  enableThumbs: true,
  resizePreview: true,
  snapshots: false,
  providers: [],
  directories: false,
  customCss: false,
}

onEachStorage((product) => {
  const put = (body: unknown, who = 'root') =>
    product().ask('/api/settings', { method: 'PUT', who, body: typeof body === 'string' ? body : JSON.stringify(body) })
  const current = () => product().as('root').settings.get({})
  const save = async (change: Record<string, unknown>) => (await put({ ...(await current()), ...change })).status

  describe('the settings', () => {
    it('have every key from the start, and no secrets', async () => {
      // First, because nobody signs in without the captcha after it.
      await current()
      const hidden = { recaptcha: { host: '', key: 'k', secret: 'canary' }, auth: { header: 'canary-header', command: 'canary-command' } }
      await product().world.settings.change((before) => ({ ...before, ...hidden }))
      const text = await (await product().ask('/api/settings', { who: 'root' })).text()
      expect(text).not.toMatch(/canary|recaptcha|logoutPage/)
      expect(JSON.parse(text)).toMatchObject({
        signup: false,
        minimumPasswordLength: 12,
        userHomeBasePath: '/users',
        authMethod: 'json',
        tus: { chunkSize: 10_485_760, retryCount: 5 },
        rules: [],
        shell: [],
      })
      expect(Object.keys((await current()).commands ?? {}).toSorted()).toEqual(HOOKS)
    })

    it('are saved as a whole, and apply at once to the page and to the rules of all users', async () => {
      await product().seed({ '/secret/a.txt': '', '/b.txt': '' })
      expect(
        await product()
          .as('ann')
          .resources.get({ params: { path: ROOT } }),
      ).toMatchObject({ numDirs: 1 })
      const branding = { name: 'Ours', disableExternal: true, disableUsedPercentage: false, files: '', theme: 'dark', color: '#0a0b0c' }
      expect(
        await save({ signup: true, branding, rules: [deny('/secret')], shell: ['sh', '-c'], commands: { after_save: ['true'] } }),
      ).toBe(200)
      expect(await current()).toMatchObject({
        signup: true,
        branding,
        shell: ['sh', '-c'],
        commands: { after_save: ['true'], before_copy: [] },
      })
      expect(pageConfig(await product().world.settings.read(), PAGE)).toMatchObject({
        Signup: true,
        Name: 'Ours',
        Theme: 'dark',
        Color: '#0a0b0c',
      })
      expect(
        await product()
          .as('ann')
          .resources.get({ params: { path: ROOT } }),
      ).toMatchObject({ numDirs: 0, numFiles: 1 })
      product().restart()
      expect(await current()).toMatchObject({ signup: true, branding })
    })

    it('accept nulls and zeros, and keep what the format cannot express', async () => {
      await product().world.settings.change((before) => ({ ...before, logoutPage: '/bye' }))
      const zeros = { minimumPasswordLength: 0, userHomeBasePath: '', tus: { chunkSize: 0, retryCount: 0 } }
      expect(await save({ rules: null, shell: null, commands: null, authMethod: 'noauth', ...zeros })).toBe(200)
      const { rules, shell, commands, authMethod, minimumPasswordLength, userHomeBasePath, tus } = await current()
      expect({ rules, shell, authMethod, minimumPasswordLength, userHomeBasePath, tus }).toEqual({
        rules: [],
        shell: [],
        authMethod: 'json',
        minimumPasswordLength: 12,
        userHomeBasePath: '/users',
        tus: { chunkSize: 10_485_760, retryCount: 5 },
      })
      expect(Object.keys(commands ?? {})).toHaveLength(10)
      expect((await product().world.settings.read()).logoutPage).toBe('/bye')
    })

    it('accept defaults as the predecessor wrote them: blanks, nulls, missing and unknown permissions', async () => {
      const { defaults } = await current()
      const perm = { create: true, publish: true }
      expect(await save({ defaults: { ...defaults, perm, viewMode: '', sorting: { by: '', asc: true }, commands: null } })).toBe(200)
      expect((await current()).defaults).toEqual({
        ...defaults,
        perm: { ...NO_RIGHTS, create: true },
        viewMode: 'mosaic',
        sorting: { by: 'name', asc: true },
        commands: [],
      })
    })

    it('reject invalid values and stay unchanged', async () => {
      const before = await current()
      const branding = (change: Record<string, unknown>) => ({ branding: { ...before.branding, ...change } })
      const bad: Record<string, Record<string, unknown>> = {
        'a broken pattern': { rules: [{ regex: true, allow: false, path: '', regexp: { raw: 'a(' } }] },
        'an endless pattern': { rules: [{ regex: true, allow: false, path: '', regexp: { raw: '(a{1000}){1000}' } }] },
        'a rule that climbs': { rules: [deny('/../x')] },
        'a relative folder': branding({ files: 'branding' }),
        'a folder that is not there': branding({ files: '/nowhere/at/all' }),
        'a file as folder': branding({ files: '/etc/passwd' }),
        'a colour that loads': branding({ color: 'url(//evil.test)' }),
        'a theme nobody knows': branding({ theme: 'pink' }),
        'no passwords at all': { minimumPasswordLength: -1 },
        'half a byte': { minimumPasswordLength: 1.5 },
        'endless chunks': { tus: { chunkSize: 1e15, retryCount: 5 } },
        'an unknown event': { commands: { after_everything: ['rm'] } },
        'shares without download': { defaults: { ...before.defaults, perm: { ...before.defaults.perm, download: false } } },
        'no defaults': { defaults: null },
      }
      const statuses: Record<string, number> = {}
      for (const [name, change] of Object.entries(bad)) statuses[name] = await save(change)
      expect(statuses).toEqual(Object.fromEntries(Object.keys(bad).map((name) => [name, 400])))
      for (const body of ['', '{', 'null', '[]', '{}']) expect((await put(body)).status).toBe(400)
      expect(await (await put({ ...before, ...bad['a rule that climbs'] })).text()).toBe(
        '400 Bad Request (rules.0: path: must not hold .. or NUL)\n',
      )
      expect(await current()).toEqual(before)
    })

    it('require reauthentication to change permissions, in any spelling of the body (I17)', async () => {
      const before = await current()
      const { defaults, branding } = before
      product().pass(6 * MINUTE_MS)
      const sensitive: Record<string, Record<string, unknown>> = {
        signup: { signup: true },
        homes: { createUserDir: true },
        'place of homes': { userHomeBasePath: '/elsewhere' },
        'short passwords': { minimumPasswordLength: 1 },
        rules: { rules: [deny('/x')] },
        shell: { shell: ['sh', '-c'] },
        commands: { commands: { after_save: ['true'] } },
        'rights of newcomers': { defaults: { ...defaults, perm: { ...defaults.perm, admin: true } } },
        'commands of newcomers': { defaults: { ...defaults, commands: ['sh'] } },
        'scope of newcomers': { defaults: { ...defaults, scope: '/all' } },
        'branding files': { branding: { ...branding, files: '/etc' } },
      }
      const answers = new Map<string, unknown>()
      for (const [name, change] of Object.entries(sensitive))
        for (const proof of [{}, { current_password: '' }, { current_passwords: PASSWORD }]) {
          const response = await put({ ...before, ...change, ...proof })
          answers.set(`${name} ${JSON.stringify(proof)}`, response.status)
        }
      expect([...answers].filter(([, status]) => status !== 403)).toEqual([])
      expect(await current()).toEqual(before)
      expect((await put({ ...before, signup: true, current_password: 'wrong' })).status).toBe(403)
      expect((await put({ ...before, signup: true, current_password: PASSWORD })).status).toBe(200)
      expect((await put({ ...before, signup: false })).status).toBe(403)
      expect(await (await product().ask('/api/settings', { who: 'root' })).text()).not.toContain('current_password')
    })

    it('require no reauthentication to change the appearance, or if nothing changes', async () => {
      const before = await current()
      product().pass(6 * MINUTE_MS)
      expect(await save({})).toBe(200)
      expect(await save({ branding: { ...before.branding, name: 'Ours', theme: 'dark' }, tus: { chunkSize: 1024, retryCount: 1 } })).toBe(
        200,
      )
    })

    it('are accessible to administrators only', async () => {
      const before = await current()
      expect((await product().ask('/api/settings', { who: 'ann' })).status).toBe(403)
      expect((await put({ ...before, signup: true }, 'ann')).status).toBe(403)
      expect(await current()).toEqual(before)
    })
  })
})
