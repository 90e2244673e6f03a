import type { ComponentProps } from 'react'
import backdrop from './backdrop.module.css'
import { classes } from './classes.ts'
import { StandaloneCard } from './standalone-card.tsx'
import styles from './standalone-page.module.css'

/** A page that is one card, such as sign-in; on a phone the card is a sheet. */
export function StandalonePage({ children, ...rest }: ComponentProps<'main'>) {
  return (
    <main {...rest} className={classes(backdrop.backdrop, styles.page)}>
      <StandaloneCard className={styles.card}>{children}</StandaloneCard>
    </main>
  )
}
