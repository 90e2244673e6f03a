import { useEffect, useState } from 'react'
import { readSharedText, type SharedPlace } from '../../data/visit.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './text-view.module.css'

/** More than anybody reads in a browser, and little enough to be drawn at once. */
const MOST_BYTES = 1024 * 1024

/** A text as it stands, to be read and marked. */
export function TextView({ place, file }: { place: SharedPlace; file: { name: string; size: number; modified: string } }) {
  const [text, setText] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const { hash, path } = place
  const { size, modified } = file
  // Talks to the server; another version is read again.
  useEffect(() => {
    if (size === 0) return setText('')
    const asked = new AbortController()
    readSharedText({ hash, path }, { most: MOST_BYTES, signal: asked.signal }).then(
      (read) => !asked.signal.aborted && setText(read),
      (error: unknown) => !asked.signal.aborted && setFailure(error),
    )
    return () => asked.abort()
  }, [hash, path, size, modified])

  if (failure !== null)
    return (
      <div role="alert">
        <FieldMessage tone="error" text={errorText(failure)} />
      </div>
    )
  if (text === null) return <Spinner size={28} />
  return (
    <div className={styles.text} tabIndex={0} role="region" aria-label={file.name}>
      {size > MOST_BYTES && <p className={styles.cut}>{t('visit.text.cut')}</p>}
      <pre className={styles.lines} dir="auto">
        {text}
      </pre>
    </div>
  )
}
