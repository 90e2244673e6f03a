import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notify } from '../data/notices.ts'
import { bindUploads, cancelUploads, type RoundListener } from '../data/uploads/uploads.ts'
import { t, useLanguage } from '../i18n/i18n.tsx'
import { UploadTray } from './uploads/upload-tray.tsx'

/** Uploads outlive the screen that started them, not the session: their corner, and the word when all are done. */
export function UploadsFrame() {
  const queries = useQueryClient()
  const language = useLanguage()
  // Talks to the queue, which lives outside React.
  useEffect(() => {
    bindUploads({ queries, onRound: tellRound })
    return cancelUploads
  }, [queries])
  return <UploadTray key={language.code} />
}

const tellRound: RoundListener = (uploads) => {
  const done = uploads.filter(({ state }) => state === 'done').length
  const failed = uploads.filter(({ state }) => state === 'failed').length
  if (done > 0) notify({ tone: 'success', text: t('upload.done', { count: done }) })
  if (failed > 0) notify({ tone: 'error', text: t('upload.failed', { count: failed }) })
}
