import styles from './message.module.css'

/** What the owner of a link wrote to its visitors: text, whatever it looks like. */
export function Message({ text }: { text: string }) {
  if (text === '') return null
  return (
    <p className={styles.message} dir="auto" data-part="share-message">
      {text}
    </p>
  )
}
