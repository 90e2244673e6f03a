import { displayName, splitName } from './display-name.ts'
import styles from './file-name.module.css'

/** A name of any script, in one line: when there is no room the middle goes, never the extension. */
export function FileName({ name }: { name: string }) {
  const shown = displayName(name)
  const { head, tail } = splitName(shown)
  return (
    <bdi className={styles.name} title={shown}>
      <span className={styles.head}>{head}</span>
      {tail !== '' && <span className={styles.tail}>{tail}</span>}
    </bdi>
  )
}
