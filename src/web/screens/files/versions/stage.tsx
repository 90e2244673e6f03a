import { ArrowLeft, Download, RotateCcw, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useUser } from '../../../data/session.ts'
import { contentAddresses, type FileContent, type VersionedFile } from '../../../data/versions.ts'
import { formatBytes, formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { IconLink } from '../../../ui/icon-link.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { useBackToClose } from '../../../ui/use-back-to-close.ts'
import { may } from '../action-rules.ts'
import { Comparison } from './comparison.tsx'
import { ContentView } from './content-view.tsx'
import styles from './stage.module.css'
import { canCompare, useContentKind } from './content-kind.ts'

export interface StageProps {
  file: VersionedFile
  content: FileContent
  current: FileContent
  /** Back to the list; null if it is beside. */
  onBack: (() => void) | null
  /** Null if it cannot be restored. */
  onRestore: (() => void) | null
  onDelete: (() => void) | null
}

/** One content of a file: by itself or compared with the present one, and what can be done with it. */
export function Stage({ file, content, current, onBack, onRestore, onDelete }: StageProps) {
  const { perm } = useUser()
  const [mode, setMode] = useState<'view' | 'compare'>('view')
  const mayDownload = may(perm, 'download')
  const kind = useContentKind(file, content, { enabled: mayDownload })
  const isComparable = mayDownload && content.id !== null && canCompare(kind, content, current)
  const compares = isComparable && mode === 'compare'
  const back = useRef<HTMLButtonElement>(null)
  useBackToClose({ open: onBack !== null, onBack: () => onBack?.() })
  // It has taken the place of the list.
  useEffect(() => back.current?.focus(), [])
  return (
    <section className={styles.stage} aria-label={formatDateTime(content.modified)} data-part="version">
      <header className={styles.bar}>
        {onBack !== null && (
          <IconButton
            ref={back}
            label={t('versions.back')}
            icon={<ArrowLeft size={19} strokeWidth={1.75} className="mirror" />}
            onClick={onBack}
          />
        )}
        <p className={styles.words}>
          <bdi className="text-section nowrap">{content.id === null ? t('versions.current') : formatDateTime(content.modified)}</bdi>
          <bdi className="muted text-caption nowrap">{formatBytes(content.size)}</bdi>
        </p>
        <div className={styles.tools}>
          {mayDownload && (
            <IconLink label={t('preview.download')} icon={Download} href={contentAddresses(file.path, content).download} download />
          )}
          {onDelete !== null && <IconButton label={t('versions.delete')} icon={Trash2} variant="danger" onClick={onDelete} />}
        </div>
        <div className={styles.choice}>
          {isComparable && (
            <Segmented
              label={t('versions.mode')}
              value={mode}
              options={[
                { value: 'view', label: t('versions.view') },
                { value: 'compare', label: t('versions.compare') },
              ]}
              onValue={setMode}
            />
          )}
          {onRestore !== null && <Button variant="primary" icon={RotateCcw} label={t('versions.restore')} onClick={onRestore} />}
        </div>
      </header>
      <div className={styles.content}>
        {compares ? (
          <Comparison kind={kind} file={file} before={content} after={current} />
        ) : (
          <ContentView kind={kind} file={file} content={content} mayDownload={mayDownload} />
        )}
      </div>
    </section>
  )
}
