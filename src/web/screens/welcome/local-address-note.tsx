import { TriangleAlert } from 'lucide-react'
import { t } from '../../i18n/i18n.tsx'
import styles from './welcome.module.css'

/** Loopback addresses: they name the computer on which they are opened (RFC 6761, RFC 1122). */
const LOCAL = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/i

/** Where the option goes, which is drawn as what it is: it neither breaks nor follows the direction of the text. */
const SLOT = '\u{fffc}'

export function isLocalAddress(hostname: string): boolean {
  return LOCAL.test(hostname)
}

/** What is passed on from here works for nobody else if the page was opened at an address of this computer; nothing otherwise. */
export function LocalAddressNote() {
  if (!isLocalAddress(location.hostname)) return null
  const [before, after] = t('welcome.local.text', { option: SLOT }).split(SLOT)
  return (
    <div className={styles.note} role="note" data-part="local-address">
      <TriangleAlert size={18} strokeWidth={1.75} aria-hidden />
      <div>
        <p className={styles.noteTitle}>{t('welcome.local.title', { host: location.host })}</p>
        <p>
          {before}
          <code className={styles.option} dir="ltr">
            --address &apos;&apos;
          </code>
          {after}
        </p>
      </div>
    </div>
  )
}
