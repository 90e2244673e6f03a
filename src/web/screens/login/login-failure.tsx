import { CircleAlert } from 'lucide-react'
import styles from './login-failure.module.css'

/** Error message of the form, announced when it appears. */
export function LoginFailure({ failure }: { failure: { text: string; more: string | null } | null }) {
  return (
    <div role="alert" className={styles.alert}>
      {failure && (
        <div className={styles.failure}>
          <CircleAlert size={18} aria-hidden />
          <div>
            <p>{failure.text}</p>
            {failure.more && <p className={styles.more}>{failure.more}</p>}
          </div>
        </div>
      )}
    </div>
  )
}
