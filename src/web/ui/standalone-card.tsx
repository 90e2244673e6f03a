import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { PaperStack } from './paper-stack.tsx'
import styles from './standalone-card.module.css'

export interface StandaloneCardProps extends ComponentProps<'div'> {
  /** Of what is behind it nothing is left: outlines in place of the papers. */
  empty?: boolean
}

/** The card of a page that has nothing else, with papers looking out behind its upper edge. */
export function StandaloneCard({ empty = false, className, children, ...rest }: StandaloneCardProps) {
  return (
    <div {...rest} className={classes(styles.place, className)}>
      <PaperStack empty={empty} />
      <div className={styles.card}>{children}</div>
    </div>
  )
}
