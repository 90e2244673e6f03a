import type { PageConfig } from '../../shared/contract/page-config.ts'
import { captchaHost, captchaOf } from './captcha.ts'
import { mayPeopleReset, mayPeopleSignUp, type Settings } from './settings.ts'

/** The operator's configuration, as far as the page shows it. */
export interface PageOptions {
  /** Without trailing slash; empty at the root. */
  readonly baseUrl: string
  readonly version: string
  readonly enableExec: boolean
  readonly enableThumbs: boolean
  readonly resizePreview: boolean
  /** Whether there are snapshots of the served folder. */
  readonly snapshots: boolean
  /** The buttons of the sign-in page. */
  readonly providers: readonly { id: string; name: string }[]
  /** Whether people sign in by a directory. */
  readonly directories: boolean
  /** Whether the branding folder currently contains a `custom.css`. */
  readonly customCss: boolean
}

/** Everything that a page needs before its first call; contains no secrets. */
export function pageConfig(settings: Settings, options: PageOptions): PageConfig {
  const { branding, authMethod, recaptcha } = settings
  return {
    AuthMethod: authMethod,
    BaseURL: options.baseUrl,
    CSS: options.customCss,
    Color: branding.color,
    Directories: authMethod === 'json' && options.directories,
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage,
    EnableExec: options.enableExec,
    EnableThumbs: options.enableThumbs,
    HideLoginButton: settings.hideLoginButton,
    LoginPage: authMethod === 'json' || authMethod === 'hook',
    LogoutPage: settings.logoutPage,
    MinimumPasswordLength: settings.minimumPasswordLength,
    Name: branding.name,
    NoAuth: authMethod === 'noauth',
    Passkeys: settings.passkeys && (authMethod === 'json' || authMethod === 'hook'),
    PasswordReset: mayPeopleReset(settings),
    Providers: authMethod === 'json' || authMethod === 'hook' ? [...options.providers] : [],
    ProvidersOnly: settings.providersOnly,
    ReCaptcha: captchaOf(settings) !== null,
    ...(recaptcha !== null && { ReCaptchaHost: captchaHost(recaptcha.host), ReCaptchaKey: recaptcha.key }),
    ResizePreview: options.resizePreview,
    Signup: mayPeopleSignUp(settings),
    Snapshots: options.snapshots,
    StaticURL: `${options.baseUrl}/static`,
    Theme: branding.theme,
    TusSettings: settings.tus,
    Version: options.version,
    WebDAV: settings.webdav,
  }
}
