import { create } from 'zustand'
import { pageConfig } from './page-config.ts'

/** API of the captcha script (Google reCAPTCHA v2 and compatible services). */
interface Captcha {
  render(place: HTMLElement, options: { sitekey: string; theme: 'light' | 'dark'; size: 'normal' | 'compact' }): number
  getResponse(widget: number): string
  reset(widget: number): void
}

declare global {
  interface Window {
    grecaptcha?: Partial<Captcha>
  }
}

/** A rendered captcha. */
export interface Widget {
  /** Empty until it is solved, and again after it has expired. */
  response(): string
  /** A response is valid for one attempt. */
  reset(): void
}

const LONGEST_MS = 20_000
const LOOK_EVERY_MS = 100

/** Whether the script has loaded, possibly after the timeout. */
export const useCaptcha = create<{ ready: boolean }>(() => ({ ready: false }))

/** Host of the captcha, for display. */
export const captchaHost = URL.parse(pageConfig.ReCaptchaHost ?? '')?.host ?? ''

/** Loads the captcha script. @returns false if it failed or timed out */
export async function loadCaptcha(): Promise<boolean> {
  const script = document.createElement('script')
  script.src = `${(pageConfig.ReCaptchaHost ?? '').replace(/\/$/, '')}/recaptcha/api.js?render=explicit`
  script.async = true
  const failed = new Promise<false>((resolve) => script.addEventListener('error', () => resolve(false), { once: true }))
  document.head.append(script)
  return Promise.race([failed, usable()])
}

/** Null until the script has loaded. */
export function renderCaptcha(place: HTMLElement, options: { theme: 'light' | 'dark'; size: 'normal' | 'compact' }): Widget | null {
  const captcha = current()
  if (captcha === null) return null
  const widget = captcha.render(place, { sitekey: pageConfig.ReCaptchaKey ?? '', ...options })
  return { response: () => captcha.getResponse(widget), reset: () => captcha.reset(widget) }
}

/** Polls, because the script has no event for being ready. */
async function usable(): Promise<boolean> {
  for (const end = Date.now() + LONGEST_MS; Date.now() < end;) {
    if (current() !== null) {
      useCaptcha.setState({ ready: true })
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return false
}

function current(): Captcha | null {
  const found = globalThis.window?.grecaptcha
  // The script adds `render` last.
  return found?.render === undefined ? null : (found as Captcha)
}
