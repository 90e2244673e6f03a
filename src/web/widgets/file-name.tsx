import { cutMiddle, displayName, splitName } from './display-name.ts'
import styles from './file-name.module.css'

/**
 * A name on one or two lines, truncated in the middle so that the extension stays.
 * @param props.twoLines about how many characters fit on two lines; without it there is one line
 */
export function FileName({ name, twoLines }: { name: string; twoLines?: number | undefined }) {
  const shown = displayName(name)
  if (twoLines !== undefined) {
    return (
      // Names in other scripts still align with the page's start.
      <span className={styles.two}>
        <bdi title={shown}>{cutMiddle(shown, twoLines)}</bdi>
      </span>
    )
  }
  const { head, tail } = splitName(shown)
  return (
    <bdi className={styles.name} title={shown}>
      {/* Screen readers would read the two parts as two words. */}
      {tail !== '' && <span className="sr-only">{shown}</span>}
      <span className="ellipsis" aria-hidden={tail !== ''}>
        {head}
      </span>
      {tail !== '' && (
        <span className="rigid" aria-hidden>
          {tail}
        </span>
      )}
    </bdi>
  )
}
