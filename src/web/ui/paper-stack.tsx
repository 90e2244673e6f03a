import { classes } from './classes.ts'
import styles from './paper-stack.module.css'

/** Three sheets of paper, one before the others: a decoration without meaning. It stands at the middle of its place's upper edge. */
export function PaperStack({ empty = false }: { empty?: boolean }) {
  return (
    <span className={classes(styles.papers, 'not-printed')} data-empty={empty || undefined} aria-hidden>
      <i />
      <i />
      <i />
    </span>
  )
}
