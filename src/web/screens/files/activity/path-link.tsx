import type { MouseEvent, ReactNode } from 'react'
import { fullAddress } from '../../../data/paths.ts'
import styles from './activity.module.css'

/** A link that also works in a dialog, which is outside the router. With a modifier key the browser follows it. */
export function PathLink({ url, onGo, children }: { url: string; onGo: (url: string) => void; children: ReactNode }) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onGo(url)
  }
  return (
    <a href={fullAddress(url)} className={styles.link} onClick={follow}>
      {children}
    </a>
  )
}
