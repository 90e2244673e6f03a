import { type RefObject, useEffect, useRef } from 'react'
import { captchaHost, renderCaptcha, useCaptcha, type Widget } from '../../data/captcha.ts'
import { t } from '../../i18n/i18n.tsx'
import styles from './login-screen.module.css'

/** Width of the normal captcha in CSS pixels. */
const NORMAL_WIDTH = 304

/** Container of the captcha, with its height reserved to avoid layout shift. */
export function CaptchaSlot({ widget }: { widget: RefObject<Widget | null> }) {
  const slot = useRef<HTMLDivElement>(null)
  const ready = useCaptcha((state) => state.ready)

  // The captcha script renders into its own element.
  useEffect(() => {
    if (!ready || slot.current === null) return
    const place = document.createElement('div')
    slot.current.append(place)
    const theme = getComputedStyle(document.documentElement).colorScheme === 'dark' ? 'dark' : 'light'
    widget.current = renderCaptcha(place, { theme, size: slot.current.clientWidth < NORMAL_WIDTH ? 'compact' : 'normal' })
    return () => {
      widget.current = null
      place.remove()
    }
  }, [ready, widget])

  return (
    <div ref={slot} className={styles.captcha} data-part="captcha">
      {!ready && <p className={styles.host}>{t('login.captcha.host', { host: captchaHost })}</p>}
    </div>
  )
}
