import { Upload } from 'lucide-react'
import { useRef } from 'react'
import type { FilePath } from '../../../shared/file-path.ts'
import { uploadAsVisitor } from '../../data/uploads/visitor-uploads.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'

/** Uploads into a shared folder that visitors may change. */
export function UploadButton({ hash, folder }: { hash: string; folder: FilePath }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button label={t('drop.upload')} size="small" icon={Upload} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          uploadAsVisitor([...(currentTarget.files ?? [])], { hash, folder, signed: { sender: '', note: '' } })
          currentTarget.value = ''
        }}
      />
    </>
  )
}
