import type { MouseEvent } from 'react'
import { t } from '../i18n/i18n.tsx'
import styles from './skip-link.module.css'

/** The first Tab stop: focuses the content of the page without a history entry of its own. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#main" onClick={focusMain}>
      {t('app.skip')}
    </a>
  )
}

function focusMain(event: MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}
