import * as z from 'zod/mini'
import { fail } from '../../shared/errors.ts'
import { CAPTCHA_HOSTS, captchaOf } from '../settings/captcha.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { createLru } from '../../shared/lru.ts'
import { hashOf } from '../db/secret.ts'

export interface CaptchaCheck {
  /**
   * Passes if no captcha is required, or the answer is right. Fails with `wrong-credentials` otherwise; throws if the service cannot be reached. An
   * answer is valid once; with `again`, also for the sign-in that follows a signup.
   */
  check(answer: string | undefined, options?: { again: boolean }): Promise<void>
}

export interface CaptchaOptions {
  settings: SettingsReader
  clock: () => Date
  /** Besides those of the fixed list. */
  hosts?: readonly string[]
}

const TIMEOUT_MS = 5000
/** Answers of the widget are shorter than this. */
const MAX_ANSWER_CHARS = 8192
/** The sign-in follows the signup at once. */
const AGAIN_MS = 60_000
const REMEMBERED = 1000

const Verdict = z.object({ success: z.boolean() })

/** reCAPTCHA v2: the service gets our secret and the answer, not the client's address. */
export function createCaptchaCheck({ settings, clock, hosts = [] }: CaptchaOptions): CaptchaCheck {
  const allowed = [...CAPTCHA_HOSTS, ...hosts]
  const goodAgain = createLru<string, number>(REMEMBERED)

  function takeAgain(answer: string): boolean {
    const key = hashOf(answer)
    const until = goodAgain.get(key) ?? 0
    goodAgain.delete(key)
    return clock().getTime() < until
  }

  return {
    async check(answer = '', { again } = { again: false }) {
      const captcha = captchaOf(await settings.read())
      if (captcha === null) return
      if (answer === '' || answer.length > MAX_ANSWER_CHARS) fail('wrong-credentials', {})
      if (takeAgain(answer)) return
      if (!allowed.includes(captcha.host)) throw new Error(`recaptcha.host ${captcha.host} is none of ${CAPTCHA_HOSTS.join(', ')}`)
      if (!(await isSolved(captcha, answer))) fail('wrong-credentials', {})
      if (again) goodAgain.set(hashOf(answer), clock().getTime() + AGAIN_MS)
    },
  }
}

async function isSolved({ host, secret }: { host: string; secret: string }, answer: string): Promise<boolean> {
  try {
    const response = await fetch(`${host}/recaptcha/api/siteverify`, {
      method: 'POST',
      body: new URLSearchParams({ secret, response: answer }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return response.ok && z.parse(Verdict, await response.json()).success
  } catch (cause) {
    throw new Error(`the captcha service ${host} could not be asked`, { cause })
  }
}
