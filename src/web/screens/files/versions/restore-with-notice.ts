import type { QueryClient } from '@tanstack/react-query'
import type { FilePath } from '../../../../shared/file-path.ts'
import { notify } from '../../../data/notices.ts'
import { type FileContent, restoreVersion } from '../../../data/versions.ts'
import { withGesture } from '../../../data/undo.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { offerUndo } from '../offer-undo.ts'

/** Restores a version and offers to undo that, if the content before was kept. The confirmation includes the loss of unsaved changes. */
export async function restoreWithNotice(queries: QueryClient, path: FilePath, { id, modified }: FileContent): Promise<void> {
  if (id === null) return
  await withGesture(async (gesture) => {
    await restoreVersion(queries, path, id, gesture.group)
    notify({
      tone: 'success',
      text: t('versions.restored', { when: formatDateTime(modified) }),
      actions: offerUndo(gesture, 'modify'),
    })
  })
}
