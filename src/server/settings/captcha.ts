import type { Settings } from './settings.ts'

/** Who may be asked, and whose script may run in our page. */
export const CAPTCHA_HOSTS: readonly string[] = ['https://www.google.com', 'https://www.recaptcha.net']
const [DEFAULT_HOST = ''] = CAPTCHA_HOSTS

export interface Captcha {
  /** Without trailing slash. */
  readonly host: string
  readonly key: string
  readonly secret: string
}

/** The captcha that people solve to sign in or up; null without one. Who signs in elsewhere, or not at all, sees none. */
export function captchaOf({ authMethod, recaptcha }: Settings): Captcha | null {
  if (authMethod !== 'json' || recaptcha === null || recaptcha.key === '' || recaptcha.secret === '') return null
  return { ...recaptcha, host: captchaHost(recaptcha.host) }
}

/** As it is compared and asked: without trailing slash, Google's where nothing is said. */
export function captchaHost(host: string): string {
  return host.trim().replace(/\/+$/, '') || DEFAULT_HOST
}
