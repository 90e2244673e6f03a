import styles from './kbd.module.css'

/** Keys as they stand on the keyboard, each on a cap of its own. */
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
