import { useRef } from 'react'
import type { Upload } from '../../data/uploads/queue.ts'
import { usePhone } from '../../ui/use-media.ts'
import { useScrollView } from '../../ui/use-scroll-view.ts'
import { sortUploads, visibleRows } from './tray.ts'
import { UploadRow } from './upload-row.tsx'
import { useReorder } from './use-reorder.ts'
import styles from './upload-tray.module.css'

/** Also in upload-tray.module.css. */
const ROW_PX = 54
const PHONE_ROW_PX = 60

/** All uploads; only visible rows are in the document. */
export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  const row = usePhone() ? PHONE_ROW_PX : ROW_PX
  const list = useRef<HTMLUListElement>(null)
  const { top, height } = useScrollView(list)
  const { from, to } = visibleRows(uploads.length, { top, window: height, row })
  const space: Record<`--${string}`, string> = { '--before': `${from * row}px`, '--after': `${(uploads.length - to) * row}px` }
  const ordered = sortUploads(uploads)
  const { dragged, announcement, grab, handlers } = useReorder(list, { shown: ordered, row })
  return (
    <>
      <ul ref={list} className={styles.list} style={space} data-dragging={dragged !== null || undefined} {...handlers}>
        {ordered.slice(from, to).map((upload, index) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            position={from + index + 1}
            count={uploads.length}
            dragged={upload.id === dragged}
            onGrab={grab}
          />
        ))}
      </ul>
      <p className="sr-only" role="status">
        {announcement}
      </p>
    </>
  )
}
