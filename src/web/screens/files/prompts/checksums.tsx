import { useQuery } from '@tanstack/react-query'
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
    <section className="grid gap-2 border-above pad-above-5">
      {CHECKSUMS.map((algorithm) => (
        <ChecksumRow key={algorithm} path={path} algorithm={algorithm} />
      ))}
    </section>
  )
}

/** Each algorithm reads the whole file, so it runs on request only; closing the dialog cancels it. */
function ChecksumRow({ path, algorithm }: { path: FilePath; algorithm: Checksum }) {
  const {
    data: sum = null,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['checksum', path, algorithm],
    queryFn: ({ signal }) => checksumOf(path, algorithm, { signal }),
    enabled: false,
    retry: false,
    gcTime: 0,
  })
  const name = NAMES[algorithm]
  return (
    <div className={styles.checksum}>
      <span className="muted text-small">{name}</span>
      <span className={styles.sum} aria-live="polite">
        {error !== null && !isFetching && errorText(error)}
        {sum !== null && <code dir="ltr">{sum}</code>}
        {isFetching && <Progress label={t('files.info.computing', { algorithm: name })} value={null} />}
      </span>
      {sum === null ? (
        <Button
          label={t('files.info.show')}
          size="small"
          variant="quiet"
          busy={isFetching}
          aria-label={t('files.info.show-checksum', { algorithm: name })}
          onClick={() => void refetch()}
        />
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
