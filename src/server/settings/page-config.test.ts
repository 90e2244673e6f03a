import { describe, expect, it } from 'bun:test'
import { PageConfig } from '../../shared/contract/page-config.ts'
import { pageConfig, type PageOptions } from './page-config.ts'
import { Settings } from './settings.ts'

describe('the page configuration', () => {
  it('of a new installation has every key of the predecessor', () => {
    expect(pageConfig(Settings.parse({}), OPTIONS)).toEqual({
      AuthMethod: 'json',
      BaseURL: '',
      CSS: false,
      Color: '',
      Directories: false,
      DisableExternal: false,
      DisableUsedPercentage: false,
      EnableExec: false,
      EnableThumbs: true,
      HideLoginButton: true,
      LoginPage: true,
      LogoutPage: '/login',
      MinimumPasswordLength: 12,
      Name: '',
      NoAuth: false,
      Passkeys: false,
      PasswordReset: false,
      Providers: [],
      ProvidersOnly: false,
      ReCaptcha: false,
      ResizePreview: true,
      Signup: false,
      Snapshots: false,
      StaticURL: '/static',
      Theme: '',
      TusSettings: { chunkSize: 10_485_760, retryCount: 5 },
      Version: '1.0.0',
      WebDAV: true,
    })
  })

  it('puts static files under the base URL', () => {
    expect(pageConfig(Settings.parse({}), { ...OPTIONS, baseUrl: '/files' })).toMatchObject({
      BaseURL: '/files',
      StaticURL: '/files/static',
    })
  })

  it('contains the captcha’s key but not its secret (I15)', () => {
    const settings = Settings.parse({ recaptcha: { host: 'https://captcha.test', key: 'site', secret: 'canary-secret' } })
    const config = pageConfig(settings, OPTIONS)
    expect(config).toMatchObject({ ReCaptcha: true, ReCaptchaHost: 'https://captcha.test', ReCaptchaKey: 'site' })
    expect(JSON.stringify(config)).not.toContain('canary-secret')
  })

  it('has a captcha only for our own passwords, and only with a key and a secret', () => {
    const recaptcha = { host: '', key: 'site', secret: 's' }
    expect(pageConfig(Settings.parse({ recaptcha }), OPTIONS)).toMatchObject({ ReCaptcha: true, ReCaptchaHost: 'https://www.google.com' })
    for (const more of [{ authMethod: 'hook' }, { recaptcha: { ...recaptcha, key: '' } }, { recaptcha: { ...recaptcha, secret: '' } }])
      expect(pageConfig(Settings.parse({ recaptcha, ...more }), OPTIONS).ReCaptcha).toBe(false)
  })

  it('offers sign-up only if it is allowed and passwords are used', () => {
    for (const [authMethod, offered] of [
      ['json', true],
      ['hook', false],
      ['proxy', false],
      ['noauth', false],
    ] as const)
      expect([authMethod, pageConfig(Settings.parse({ authMethod, signup: true }), OPTIONS).Signup]).toEqual([authMethod, offered])
  })

  it('has no login page if no passwords are used', () => {
    const config = pageConfig(Settings.parse({ authMethod: 'noauth' }), OPTIONS)
    expect(config).toMatchObject({ LoginPage: false, NoAuth: true })
    expect(PageConfig.parse(config)).toEqual(config)
  })
})

const OPTIONS: PageOptions = {
  baseUrl: '',
  version: '1.0.0',
  enableExec: false,
  enableThumbs: true,
  resizePreview: true,
  snapshots: false,
  providers: [],
  directories: false,
  customCss: false,
}
