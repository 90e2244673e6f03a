import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { nameOf, ROOT } from '../../../../shared/file-path.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { fateQuery } from '../../../data/trash-policy.ts'
import { formatCounts } from '../../../i18n/counts.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import styles from './delete-dialog.module.css'
import { type Content, useContent } from './use-content.ts'

/**
 * Confirms a deletion and shows what is deleted and what becomes of it. Where it can be restored, Enter deletes; where it cannot, Cancel has the
 * initial focus, so that Enter does not delete by accident (decision 040). A confirmation before the server has said which it is counts only where it can be
 * restored.
 */
export function DeleteDialog({ paths, content, permanent: proposed, isFull = false, onAnswer, onDismiss }: PromptProps<'delete'>) {
  const { data, isPending } = useQuery(fateQuery(paths))
  const [permanent, setPermanent] = useState(proposed)
  const kept = !permanent && data?.restorable === true
  // An unanswered question counts as final.
  const final = permanent || (!isPending && !kept)
  const [confirmed, setConfirmed] = useState(false)
  const cancel = useRef<HTMLButtonElement>(null)
  // Whatever had the focus until now, Enter must not delete for good.
  useEffect(() => {
    if (final) cancel.current?.focus()
  }, [final])
  const remove = useEffectEvent(() => onAnswer({ permanent }))
  useEffect(() => {
    if (confirmed && kept) remove()
  }, [confirmed, kept])
  return (
    <Dialog
      title={
        paths.length === 1
          ? t('files.delete.title.one', { name: displayName(nameOf(paths[0] ?? ROOT)) })
          : t('files.delete.title', { count: paths.length })
      }
      description={
        isPending && !permanent
          ? '\u00a0'
          : kept
            ? t('files.delete.text.trash', { count: data.days })
            : t(isFull ? 'files.delete.text.full' : 'files.delete.text')
      }
      size="small"
      onDismiss={onDismiss}
      onSubmit={() => !final && setConfirmed(true)}
      actions={
        <>
          {kept && (
            <Button
              label={t('files.action.delete-permanently')}
              variant="quiet"
              className={styles.permanent}
              onClick={() => setPermanent(true)}
            />
          )}
          <Button ref={cancel} label={t('action.cancel')} variant="quiet" onClick={onDismiss} data-autofocus={final || undefined} />
          {final ? (
            <Button
              key="final"
              label={t(permanent ? 'files.action.delete-permanently' : 'files.action.delete')}
              variant="danger"
              onClick={() => onAnswer({ permanent })}
            />
          ) : (
            <Button key="trash" label={t('files.delete.to-trash')} variant="primary" type="submit" busy={confirmed} data-autofocus />
          )}
        </>
      }
    >
      {content !== null && <Holds content={content} />}
    </Dialog>
  )
}

/** What is deleted: known counts at once, folder contents as they are counted. */
function Holds({ content }: { content: Content }) {
  const { sum, state } = useContent(content)
  if (typeof state === 'object') return null
  const counting = state === 'counting'
  const isNew = sum.files + sum.folders > content.besides.files + content.besides.folders
  return (
    <p className={styles.content} role="status" aria-busy={counting} data-part="delete-content">
      {counting && <Spinner size={14} />}
      {counting && !isNew ? (
        t('files.delete.counting')
      ) : (
        <bdi>{t('files.delete.holds', { counts: formatCounts(sum), size: formatBytes(sum.bytes) })}</bdi>
      )}
    </p>
  )
}
