import { cutMiddle, displayName, splitName } from './display-name.ts'
import styles from './file-name.module.css'

/**
 * A name of any script, in one line or two: when there is no room the middle goes, never the extension.
 * @param props.twoLines about how many letters two lines hold; without it there is one line
 */
export function FileName({ name, twoLines }: { name: string; twoLines?: number | undefined }) {
  const shown = displayName(name)
  if (twoLines !== undefined) {
    return (
      // The lines of a name in another script start where those of the page do.
      <span className={styles.two}>
        <bdi title={shown}>{cutMiddle(shown, twoLines)}</bdi>
      </span>
    )
  }
  const { head, tail } = splitName(shown)
  return (
    <bdi className={styles.name} title={shown}>
      <span className={styles.head}>{head}</span>
      {tail !== '' && <span className={styles.tail}>{tail}</span>}
    </bdi>
  )
}
