import { create } from 'zustand'
import { pageConfig } from './page-config.ts'

/** What the captcha's script brings (Google's reCAPTCHA v2 and services that speak like it). */
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

/** One widget, drawn into a place of the page. */
export interface Widget {
  /** Empty as long as the person has not passed, and again when the answer has grown old. */
  response(): string
  /** An answer is good for one attempt. */
  reset(): void
}

const LONGEST_MS = 20_000
const LOOK_EVERY_MS = 100

/** Whether the script is here; it may still come after its time. */
export const useCaptcha = create<{ ready: boolean }>(() => ({ ready: false }))

/** The host that the widget comes from, for people. */
export const captchaHost = URL.parse(pageConfig.ReCaptchaHost ?? '')?.host ?? ''

/** Fetches the captcha's script. @returns false when it failed or did not come in time */
export async function loadCaptcha(): Promise<boolean> {
  const script = document.createElement('script')
  script.src = `${(pageConfig.ReCaptchaHost ?? '').replace(/\/$/, '')}/recaptcha/api.js?render=explicit`
  script.async = true
  const failed = new Promise<false>((resolve) => script.addEventListener('error', () => resolve(false), { once: true }))
  document.head.append(script)
  return Promise.race([failed, usable()])
}

/** Null as long as the script is missing. */
export function renderCaptcha(place: HTMLElement, options: { theme: 'light' | 'dark'; size: 'normal' | 'compact' }): Widget | null {
  const captcha = current()
  if (captcha === null) return null
  const widget = captcha.render(place, { sitekey: pageConfig.ReCaptchaKey ?? '', ...options })
  return { response: () => captcha.getResponse(widget), reset: () => captcha.reset(widget) }
}

/** The script says nowhere that it has finished: it is looked for, as the predecessor did. */
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
  // With `render` all of it is there: the script adds its functions together.
  return found?.render === undefined ? null : (found as Captcha)
}
