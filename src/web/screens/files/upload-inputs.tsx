import type { ChangeEvent } from 'react'
import type { FilePath } from '../../../shared/file-path.ts'
import { notify } from '../../data/notices.ts'
import { uploadPicked } from '../../data/uploads/start.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import type { Pickers } from './listing/use-listing-actions.ts'

/** Hidden file inputs, opened by the upload actions. */
export function UploadInputs({ pickers, target }: { pickers: Pickers; target: FilePath }) {
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])]
    // Allows choosing the same file again.
    event.target.value = ''
    void uploadPicked(files, target).catch((error: unknown) => notify({ tone: 'error', text: errorText(error) }))
  }
  const shared = { type: 'file', multiple: true, hidden: true, onChange: take } as const
  return (
    <>
      <input ref={pickers.files} {...shared} aria-label={t('files.action.upload-files')} data-part="pick-files" />
      <input ref={pickers.folder} {...shared} {...WHOLE_FOLDERS} aria-label={t('files.action.upload-folder')} data-part="pick-folder" />
    </>
  )
}

/** Supported by every browser but missing in React's types. */
const WHOLE_FOLDERS = { webkitdirectory: '' }
