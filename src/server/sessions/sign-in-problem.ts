import { CAPTCHA_HOSTS, captchaOf } from '../settings/captcha.ts'
import type { Settings } from '../settings/settings.ts'
import { isHeaderName } from './by-proxy.ts'

/** Why nobody, or everybody, could sign in with these settings: the server does not start then. Null if all is well. */
export function signInProblem(settings: Settings, { trustedProxies }: { trustedProxies: readonly string[] }): string | null {
  const { authMethod, auth } = settings
  const captcha = captchaOf(settings)
  if (authMethod === 'proxy' && trustedProxies.length === 0)
    return 'authMethod proxy needs --trustedProxies: without it anybody could say who they are'
  if (authMethod === 'proxy' && !isHeaderName(auth.header)) return 'authMethod proxy needs auth.header, the name of the header to believe'
  if (authMethod === 'hook' && auth.command.trim() === '') return 'authMethod hook needs auth.command, the program to ask'
  if (captcha !== null && !CAPTCHA_HOSTS.includes(captcha.host)) return `recaptcha.host must be one of ${CAPTCHA_HOSTS.join(', ')}`
  return null
}
