import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CHECKSUMS, type Checksum } from '../../../../shared/contract/resources.ts'
import { type FilePath, nameOf, ROOT } from '../../../../shared/file-path.ts'
import { checksumOf } from '../../../data/files.ts'
import { sizeOfFiles } from '../../../data/listing.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { formatBytes, formatBytesExact, formatDateExact } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { kindName } from '../../../widgets/kind-name.ts'
import styles from './info-dialog.module.css'
import type { InfoSubject } from './kinds.ts'

const COPIED_MS = 500

/** What is known of an entry, of the folder on show or of a selection; checksums when asked for. */
export function InfoDialog({ subject, onDismiss }: PromptProps<'info'>) {
  const { perm } = useUser()
  return (
    <Dialog title={t('files.info.title')} size="small" closeLabel={t('action.close')} onDismiss={onDismiss}>
      <dl className={styles.facts}>
        <Facts subject={subject} />
      </dl>
      {subject.kind === 'entry' && !subject.entry.isDir && subject.entry.type !== 'invalid_link' && perm.download && (
        <Checksums path={subject.entry.path} />
      )}
    </Dialog>
  )
}

function Facts({ subject }: { subject: InfoSubject }) {
  if (subject.kind === 'many') {
    return (
      <>
        <Fact label={t('files.info.selected')}>{t('files.meta', { folders: subject.folders, files: subject.files })}</Fact>
        <Fact label={t('files.column.size')}>{sizeText(subject.size)}</Fact>
      </>
    )
  }
  if (subject.kind === 'folder') {
    const { listing } = subject
    return (
      <>
        <Fact label={t('files.column.name')}>{listing.path === ROOT ? t('files.root') : displayName(nameOf(listing.path))}</Fact>
        <Fact label={t('files.info.path')}>{displayName(listing.path)}</Fact>
        <Fact label={t('files.info.content')}>{t('files.meta', { folders: listing.numDirs, files: listing.numFiles })}</Fact>
        <Fact label={t('files.info.size-of-files')}>{sizeText(sizeOfFiles(listing))}</Fact>
        <Fact label={t('files.column.modified')}>{formatDateExact(new Date(listing.modified))}</Fact>
      </>
    )
  }
  const { entry } = subject
  return (
    <>
      <Fact label={t('files.column.name')}>{displayName(entry.name)}</Fact>
      <Fact label={t('files.info.type')}>{kindName(entry)}</Fact>
      {!entry.isDir && <Fact label={t('files.column.size')}>{sizeText(entry.size)}</Fact>}
      <Fact label={t('files.column.modified')}>{formatDateExact(new Date(entry.modified))}</Fact>
      <Fact label={t('files.info.path')}>{displayName(entry.path)}</Fact>
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? formatBytesExact(bytes) : `${formatBytes(bytes)} (${formatBytesExact(bytes)})`
}

function Checksums({ path }: { path: FilePath }) {
  return (
    <section className={styles.checksums}>
      <h3 className={styles.title}>{t('files.info.checksums')}</h3>
      {CHECKSUMS.map((algorithm) => (
        <ChecksumRow key={algorithm} path={path} algorithm={algorithm} />
      ))}
    </section>
  )
}

/** A whole file is read for each, so nothing is computed before it is asked for; closing the dialog calls it off. */
function ChecksumRow({ path, algorithm }: { path: FilePath; algorithm: Checksum }) {
  const [sum, setSum] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])

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
      <span className={styles.algorithm}>{NAMES[algorithm]}</span>
      <span className={styles.sum} aria-live="polite">
        {failure ?? (sum === null ? '' : <code>{sum}</code>)}
      </span>
      {sum === null ? (
        <Button
          size="small"
          variant="quiet"
          busy={busy}
          aria-label={t('files.info.show-checksum', { algorithm: NAMES[algorithm] })}
          onClick={() => void show()}
        >
          {t('files.info.show')}
        </Button>
      ) : (
        <CopyButton text={sum} />
      )}
    </div>
  )
}

const NAMES: Record<Checksum, string> = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' }

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  return (
    <IconButton
      size="small"
      label={copied ? t('files.info.copied') : t('files.info.copy')}
      icon={copied ? <Check size={16} /> : <Copy size={16} strokeWidth={1.75} />}
      onClick={() => void copy().catch(() => undefined)}
    />
  )
}
