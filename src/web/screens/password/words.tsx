import type { ReactNode } from 'react'
import { t } from '../../i18n/i18n.tsx'
import { Link } from '../../router/router.tsx'
import { buttonClassName } from '../../ui/button.tsx'
import styles from './password-screen.module.css'

/** @param props.isLast whether there is nothing to do here but to go on to the sign-in page */
export function Words({ title, text, isLast = false, children }: { title: string; text: string; isLast?: boolean; children?: ReactNode }) {
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {children}
      {isLast && (
        <Link to="/login" replace className={buttonClassName({ variant: 'primary', size: 'large', wide: true })}>
          {t('reset.back')}
        </Link>
      )}
    </>
  )
}
