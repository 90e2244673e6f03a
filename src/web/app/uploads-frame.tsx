import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notify } from '../data/notices.ts'
import { useSession } from '../data/session.ts'
import { undoGesture } from '../data/undo.ts'
import { bindUploads, dropUploads, suspendUploads, type BatchListener } from '../data/uploads/uploads.ts'
import { t, useLanguage } from '../i18n/i18n.tsx'
import { UploadTray } from './uploads/upload-tray.tsx'

/** The upload panel and the notice when all uploads are done. Uploads outlive the screen that started them and pause when a session expires. */
export function UploadsFrame() {
  const queries = useQueryClient()
  const language = useLanguage()
  const owner = useSession((state) => state.user?.id ?? null)
  const mayCreate = useSession((state) => state.user?.perm.create ?? false)
  const token = useSession((state) => state.token)
  // Synchronises with the queue, which lives outside React.
  useEffect(() => {
    if (owner !== null && token !== null) bindUploads({ owner, queries, onRound: notifyBatch })
  }, [owner, token, queries])
  useEffect(() => () => (useSession.getState().ended === 'signed-out' ? dropUploads() : suspendUploads()), [])
  return (
    <UploadTray
      // Resets the state for another user.
      key={`${language.code} ${owner}`}
      owner={token !== null && mayCreate ? owner : null}
      jobOwner={token === null ? null : owner}
    />
  )
}

const notifyBatch: BatchListener = (uploads, gesture) => {
  const done = uploads.filter(({ state }) => state === 'done').length
  const failed = uploads.filter(({ state }) => state === 'failed').length
  const perm = useSession.getState().user?.perm
  // The server checks the right in any case.
  const undoable = gesture !== null && (perm?.admin || perm?.delete)
  const actions = undoable ? [{ label: t('action.undo'), run: () => undoGesture(gesture) }] : []
  if (done > 0) notify({ tone: 'success', text: t('upload.done', { count: done }), actions })
  if (failed > 0) notify({ tone: 'error', text: t('upload.failed', { count: failed }) })
}
