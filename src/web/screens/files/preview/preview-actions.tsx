import { Download, EllipsisVertical, History, Info, Maximize, PencilLine, Share2, Star, Trash2 } from 'lucide-react'
import { isAsking } from '../../../data/prompts.ts'
import { usePermissions } from '../../../data/rights.ts'
import { t } from '../../../i18n/i18n.tsx'
import type { ButtonIcon } from '../../../ui/drawn-icon.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { IconLink } from '../../../ui/icon-link.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuAction } from '../../../ui/menu-entry.ts'
import { usePhone } from '../../../ui/use-media.ts'
import { usePageEvent } from '../../../ui/use-page-event.ts'
import { may } from '../action-rules.ts'
import { shortcutText } from '../shortcuts.ts'
import type { FileStar } from '../use-star.ts'

const ICON = { size: 20, strokeWidth: 1.75 }

export interface PreviewActionsProps {
  /** Whether the image is shown at full size; null if there is only one size. */
  full: boolean | null
  onFull: () => void
  /** Null if it cannot be a favourite. */
  star: FileStar | null
  /** Null without permission, and if there is nothing to download. */
  download: string | null
  /** Null if it cannot be shared. */
  onShare: (() => void) | null
  onRename: () => void
  onDelete: () => void
  onInfo: () => void
  /** Null without permission, and if it has none. */
  onVersions: (() => void) | null
}

/** Actions of the previewed file, by permission; on phones all but the download are in a menu. */
export function PreviewActions({ full, onFull, star, download, onShare, onRename, onDelete, onInfo, onVersions }: PreviewActionsProps) {
  const perm = usePermissions()
  const phone = usePhone()
  const mayRename = may(perm, 'rename')
  const mayDelete = may(perm, 'delete')
  useActionKeys({ onRename: mayRename ? onRename : null, onDelete: mayDelete ? onDelete : null })

  const fullSize =
    full === null
      ? null
      : entryFor('full', { label: t('preview.full-size'), icon: <Maximize {...ICON} />, checked: full, onSelect: onFull })
  const entries = [
    may(perm, 'share') && onShare !== null
      ? entryFor('share', { label: t('files.action.share'), icon: <Share2 {...ICON} />, onSelect: onShare })
      : null,
    star &&
      entryFor('star', {
        label: t(star.starred ? 'files.action.unstar' : 'files.action.star'),
        shortcut: shortcutText('star'),
        icon: <Star {...ICON} fill={star.starred ? 'currentColor' : 'none'} />,
        onSelect: star.toggle,
      }),
    onVersions && entryFor('versions', { label: t('files.action.versions'), icon: <History {...ICON} />, onSelect: onVersions }),
    mayRename
      ? entryFor('rename', { label: t('preview.rename'), shortcut: 'F2', icon: <PencilLine {...ICON} />, onSelect: onRename })
      : null,
    mayDelete ? entryFor('delete', { label: t('preview.delete'), icon: <Trash2 {...ICON} />, danger: true, onSelect: onDelete }) : null,
  ].filter((entry) => entry !== null)
  const info = entryFor('info', { label: t('preview.info'), icon: <Info {...ICON} />, onSelect: onInfo })
  const save = download !== null && <IconLink label={t('preview.download')} icon={Download} iconSize={20} href={download} download />
  if (phone) {
    return (
      <>
        {save}
        <Menu
          label={t('preview.more')}
          align="end"
          entries={() => [...(fullSize === null ? [] : [fullSize]), info, ...entries]}
          trigger={(props) => <IconButton {...props} label={t('preview.more')} icon={EllipsisVertical} iconSize={20} />}
        />
      </>
    )
  }
  return (
    <>
      {fullSize !== null && <IconButton label={fullSize.label} icon={fullSize.icon} pressed={full === true} onClick={onFull} />}
      {entries.map(({ id, label, icon, shortcut, onSelect }) => (
        <IconButton key={id} label={label} icon={icon} shortcut={shortcut} onClick={onSelect} />
      ))}
      {save}
      <IconButton label={info.label} icon={info.icon} onClick={onInfo} />
    </>
  )
}

type PreviewAction = MenuAction & { icon: ButtonIcon }

function entryFor(id: string, rest: Omit<PreviewAction, 'kind' | 'id'>): PreviewAction {
  return { kind: 'action', id, ...rest }
}

/** F2 and Delete, as in the listing. */
function useActionKeys({ onRename, onDelete }: { onRename: (() => void) | null; onDelete: (() => void) | null }): void {
  usePageEvent('keydown', (event) => {
    if (isAsking() || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const action = event.key === 'F2' ? onRename : event.key === 'Delete' ? onDelete : null
    if (action === null) return
    event.preventDefault()
    action()
  })
}
