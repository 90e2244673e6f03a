import { EllipsisVertical } from 'lucide-react'
import { nameOf } from '../../../../shared/file-path.ts'
import { ask } from '../../../data/prompts.ts'
import type { Hit } from '../../../data/search.ts'
import { useUser } from '../../../data/session.ts'
import { fileAddress, startDownload } from '../../../data/start-download.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { type ActionName, isAvailable } from '../action-rules.ts'
import { menuEntries } from '../menu-entries.ts'

/** Actions on a result. Sharing and downloading keep the search open. */
export function HitMenu({ hit: { path, isDir }, onOpen }: { hit: Hit; onOpen: () => void }) {
  const { perm } = useUser()
  const name = displayName(nameOf(path))
  const situation = { perm, selected: 1, archive: false, folder: isDir, broken: false, starred: null, held: null }
  const available = (action: ActionName) => isAvailable(action, situation)
  const act = (action: ActionName): void => {
    if (action === 'open') return onOpen()
    if (action === 'share') return void ask('share', { path, isDir }, { onTop: true })
    if (!isDir) return startDownload(fileAddress(path))
    void ask('download', { subject: { folder: path, paths: [] } }, { onTop: true })
  }
  return (
    <Menu
      label={t('files.more', { name })}
      align="end"
      // Without shortcuts: those of the listing do not apply here.
      entries={() =>
        menuEntries([['open', 'download', 'share']], { available, onAction: act }).map((entry) => ({ ...entry, shortcut: undefined }))
      }
      trigger={(props) => <IconButton {...props} label={t('files.more', { name })} data-tooltip={undefined} icon={EllipsisVertical} />}
    />
  )
}
