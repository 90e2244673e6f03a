import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { inTime } from '../../../data/chunks.ts'
import { contentAddresses, contentQuery, type FileContent, type VersionedFile } from '../../../data/versions.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { FieldMessage } from '../../../ui/field.tsx'
import { FileFallback } from '../../../widgets/file-fallback.tsx'
import { ImageViewer } from '../../../widgets/image-viewer.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { MediaViewer } from '../../../widgets/media-viewer.tsx'
import type { Viewers } from '../../../widgets/viewers/viewers.ts'
import { decodeForReading } from '../../../../shared/text-content.ts'
import type { ContentKind } from './content-kind.ts'
import styles from './content-view.module.css'

const viewers: Viewers = {
  font: lazyPart(async () => (await inTime(import('../../../widgets/viewers/font/font-view.tsx'))).FontView),
  book: lazyPart(async () => (await inTime(import('../../../widgets/viewers/book/book-view.tsx'))).BookView),
  pdf: lazyPart(async () => (await inTime(import('../../../widgets/viewers/pdf/pdf-view.tsx'))).PdfView),
}
const TextView = lazyPart(async () => (await inTime(import('./text-view.tsx'))).TextView)

export interface ContentViewProps {
  /** Null while it is unknown. */
  kind: ContentKind | null
  file: VersionedFile
  content: FileContent
  mayDownload: boolean
}

/** A content as the preview and the editor show it. */
export function ContentView({ kind, file, content, mayDownload }: ContentViewProps) {
  const [broken, setBroken] = useState(false)
  const addresses = contentAddresses(file.path, content)
  if (kind === null) return <Loading height="100%" />
  if (kind === 'text' && mayDownload) return <TextOf file={file} content={content} />
  const shown = { name: file.name, type: file.type, size: content.size, modified: content.modified.toISOString() }
  if (kind === 'picture' && mayDownload) {
    if (broken) return <FileFallback file={shown} reason={t('preview.broken')} download={addresses.download} />
    return (
      <div className={styles.picture}>
        <ImageViewer src={addresses.inline} name={file.name} onSwipe={() => undefined} onBroken={() => setBroken(true)} />
      </div>
    )
  }
  return <MediaViewer file={shown} addresses={mayDownload ? { ...addresses, subtitles: [] } : null} viewers={viewers} autoPlay={false} />
}

function TextOf({ file, content }: Pick<ContentViewProps, 'file' | 'content'>) {
  const { data, error } = useQuery(contentQuery(file.path, content))
  if (error !== null)
    return (
      <div className={styles.failure} role="alert">
        <FieldMessage tone="error" text={errorText(error)} />
      </div>
    )
  if (data === undefined) return <Loading height="100%" />
  return (
    <Suspense fallback={<Loading height="100%" />}>
      <TextView text={decodeForReading(data)} name={file.name} label={`${file.name}, ${formatDateTime(content.modified)}`} />
    </Suspense>
  )
}
