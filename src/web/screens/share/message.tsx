import styles from './message.module.css'

/** The owner's message, as plain text. */
export function Message({ text }: { text: string }) {
  if (text === '') return null
  return (
    <p className={styles.message} dir="auto" data-part="share-message">
      {text}
    </p>
  )
}
