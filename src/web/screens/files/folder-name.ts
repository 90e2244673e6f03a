import { type FilePath, nameOf, ROOT } from '../../../shared/file-path.ts'
import { CURRENT_SHARE } from '../../data/share-context.ts'
import { useCurrentShare } from '../../data/with-me.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'

/** How a folder is named on its own. Within a share with people the root has the name of what is shared. */
export function useFolderName(): (path: FilePath) => string {
  const shared = useCurrentShare()
  const ofShare = shared === null ? t('title.files') : displayName(shared.name === '' ? shared.owner : shared.name)
  const root = CURRENT_SHARE === null ? t('files.root') : ofShare
  return (path) => (path === ROOT ? root : displayName(nameOf(path)))
}
