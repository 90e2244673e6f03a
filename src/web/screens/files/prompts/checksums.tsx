import { useEffect, useRef, useState } from 'react'
import { CHECKSUMS, type Checksum } from '../../../../shared/contract/resources.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { checksumOf } from '../../../data/files.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import styles from './checksums.module.css'
import { CopyButton } from '../../../widgets/copy-button.tsx'

export function Checksums({ path }: { path: FilePath }) {
  return (
    <section className={styles.checksums}>
      {CHECKSUMS.map((algorithm) => (
        <ChecksumRow key={algorithm} path={path} algorithm={algorithm} />
      ))}
    </section>
  )
}

/** Each algorithm reads the whole file, so it runs on request only; closing the dialog cancels it. */
function ChecksumRow({ path, algorithm }: { path: FilePath; algorithm: Checksum }) {
  const [sum, setSum] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])

  const name = NAMES[algorithm]
  const show = async () => {
    const asked = new AbortController()
    control.current = asked
    setBusy(true)
    setFailure(null)
    try {
      setSum(await checksumOf(path, algorithm, { signal: asked.signal }))
    } catch (error) {
      if (!asked.signal.aborted) setFailure(errorText(error))
    } finally {
      if (!asked.signal.aborted) setBusy(false)
    }
  }
  return (
    <div className={styles.checksum}>
      <span className={styles.algorithm}>{name}</span>
      <span className={styles.sum} aria-live="polite">
        {failure ?? (sum === null ? '' : <code dir="ltr">{sum}</code>)}
        {busy && <Progress label={t('files.info.computing', { algorithm: name })} value={null} />}
      </span>
      {sum === null ? (
        <Button
          size="small"
          variant="quiet"
          busy={busy}
          aria-label={t('files.info.show-checksum', { algorithm: name })}
          onClick={() => void show()}
        >
          {t('files.info.show')}
        </Button>
      ) : (
        <CopyButton
          label={t('files.info.copy-checksum', { algorithm: name })}
          copy={() => copyAndTell(sum, { failed: t('files.info.copy-failed') })}
        />
      )}
    </div>
  )
}

const NAMES: Record<Checksum, string> = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' }
