import type { Settings } from './settings.ts'

/** Allowed captcha services, whose scripts may run in our page. */
export const CAPTCHA_HOSTS: readonly string[] = ['https://www.google.com', 'https://www.recaptcha.net']
const [DEFAULT_HOST = ''] = CAPTCHA_HOSTS

export interface Captcha {
  /** Without trailing slash. */
  readonly host: string
  readonly key: string
  readonly secret: string
}

/** The captcha for sign-in and signup; null without one. It is not used if people sign in elsewhere, or not at all. */
export function captchaOf({ authMethod, recaptcha }: Settings): Captcha | null {
  if (authMethod !== 'json' || recaptcha === null || recaptcha.key === '' || recaptcha.secret === '') return null
  return { ...recaptcha, host: captchaHost(recaptcha.host) }
}

/** Normalised: without trailing slash, Google's by default. */
export function captchaHost(host: string): string {
  return host.trim().replace(/\/+$/, '') || DEFAULT_HOST
}
