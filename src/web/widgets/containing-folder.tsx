import { FolderOpen } from 'lucide-react'
import { type FilePath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import { t } from '../i18n/i18n.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { displayName } from './display-name.ts'

/** The folder of an entry that is listed outside it. @param root name of the root, where it is not the user's own */
export function ContainingFolder({ path, root = t('files.root') }: { path: FilePath; root?: string }) {
  const parent = parentOf(path)
  const folder = parent === ROOT ? root : displayName(parent.slice(1))
  return (
    <span className="ellipsis faint text-caption nowrap block">
      <span className="sr-only">{t('search.in', { folder })}</span>
      <bdi aria-hidden title={folder}>
        {folder}
      </bdi>
    </span>
  )
}

/** Shows the entry in its folder. */
export function RevealButton({ path, onReveal }: { path: FilePath; onReveal: () => void }) {
  return (
    <IconButton
      label={t('search.reveal-named', { name: displayName(nameOf(path)) })}
      data-tooltip={t('search.reveal')}
      icon={FolderOpen}
      onClick={onReveal}
    />
  )
}
