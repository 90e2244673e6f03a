import styles from './kbd.module.css'

/** A keyboard shortcut, one `<kbd>` per key. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys} dir="ltr">
      {keys.map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  )
}
