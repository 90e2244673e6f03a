import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PromptProps } from '../../../data/prompts.ts'
import { BEGINNING, rewindQuery } from '../../../data/rewind.ts'
import { formatDateExact } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { shownName } from './gesture-words.ts'
import { MomentPicker } from './moment-picker.tsx'
import styles from './rewind.module.css'
import { countOf, RewindPreview } from './rewind-preview.tsx'

/** Choose a moment, see what would be changed, and bring a folder back to it. */
export function RewindDialog({ path, to: suggested, onAnswer, onDismiss }: PromptProps<'rewind'>) {
  const [to, setTo] = useState(suggested)
  const [by, setBy] = useState('')
  const preview = useQuery({ ...rewindQuery({ path, to: to ?? '', by }), enabled: to !== null })
  const { data, error, isPlaceholderData } = preview
  const isReady = to !== null && data !== undefined && !isPlaceholderData && error === null
  const reason = to === null ? t('rewind.choose') : isReady && countOf(data.counts) === 0 ? t('rewind.nothing') : null
  return (
    <Dialog
      title={t('rewind.title', { name: shownName(path) })}
      description={t('rewind.text')}
      size="vast"
      full
      closeLabel={t('action.close')}
      onDismiss={onDismiss}
      onSubmit={() => {
        if (isReady && reason === null) onAnswer({ path, to, by })
      }}
      actions={
        <DialogActions
          onCancel={onDismiss}
          submit={t('rewind.submit')}
          busy={to !== null && !isReady && error === null}
          disabledReason={reason}
        />
      }
    >
      <div className={styles.columns}>
        <MomentPicker path={path} to={to} by={by} onTo={setTo} onBy={setBy} />
        <section className={styles.preview} aria-labelledby="rewind-preview">
          <h3 id="rewind-preview" className="text-section">
            {t('rewind.preview')}
          </h3>
          {to !== null && to !== BEGINNING && (
            <p className="muted text-small">
              <bdi>{formatDateExact(new Date(to))}</bdi>
            </p>
          )}
          {to === null ? (
            <p className="muted text-small">{t('rewind.choose')}</p>
          ) : (
            <RewindPreview to={to} plan={data} stale={isPlaceholderData} error={error} onRetry={() => void preview.refetch()} />
          )}
        </section>
      </div>
    </Dialog>
  )
}
