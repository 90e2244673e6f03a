import { Trash2 } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { ROOT } from '../../../../shared/file-path.ts'
import { fullAddress, urlFromPath } from '../../../data/paths.ts'
import type { UsageItem } from '../../../data/usage.ts'
import { formatBytes, formatBytesExact, formatPercent } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { classes } from '../../../ui/classes.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useKeepFocus } from '../../../ui/use-keep-focus.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { FileName } from '../../../widgets/file-name.tsx'
import line from '../../../widgets/containing-folder.module.css'
import { RevealButton, ContainingFolder } from '../../../widgets/containing-folder.tsx'
import { useFolderName } from '../folder-name.ts'
import styles from './part-line.module.css'
import type { UsageActions } from './use-usage-actions.ts'

export interface UsageRowProps {
  item: UsageItem
  actions: UsageActions
  /** Share of the total, from 0 to 1; without it the parent folder is shown. */
  share?: number
  /** Opens a folder in the dialog; files are opened on their own. */
  onFolder?: () => void
  onGone?: () => void
}

/** An entry with its size and actions. */
export function UsageRow({ item, actions, share, onFolder, onGone }: UsageRowProps) {
  const name = displayName(item.name)
  const root = useFolderName()(ROOT)
  const { remove } = actions
  const open = (event: MouseEvent): void => {
    // Leave new tabs and windows to the browser.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    if (item.isDir && onFolder) onFolder()
    else actions.open(item)
  }
  return (
    <li className={line.line}>
      <a
        className={classes(line.link, styles.link)}
        href={fullAddress(urlFromPath(item.path, { folder: item.isDir }))}
        onClick={open}
        draggable={false}
      >
        <EntryIcon name={item.name} type={item.type} isDir={item.isDir} size={26} />
        <span className={classes(line.words, styles.words)}>
          <FileName name={item.name} />
          {share === undefined ? <ContainingFolder path={item.path} root={root} /> : <Bar share={share} />}
        </span>
        <span className={styles.size}>
          <bdi title={formatBytesExact(item.bytes)}>{formatBytes(item.bytes)}</bdi>
          {share !== undefined && <bdi className="faint text-caption">{formatPercent(share)}</bdi>}
        </span>
      </a>
      <RevealButton path={item.path} onReveal={() => actions.reveal(item)} />
      {remove && (
        <IconButton
          label={t('usage.delete-named', { name })}
          data-tooltip={t('files.action.delete')}
          icon={Trash2}
          onClick={() => remove(item, onGone)}
        />
      )}
    </li>
  )
}

/** Hidden from assistive technology: the numbers beside it say the same. */
function Bar({ share }: { share: number }) {
  return (
    <span className={styles.track} aria-hidden>
      <span className={styles.bar} style={{ inlineSize: `${Math.min(1, share) * 100}%` }} />
    </span>
  )
}

export function UsageList({ label, children }: { label: string; children: ReactNode }) {
  const held = useKeepFocus<HTMLUListElement>()
  return (
    <ul {...held} className="grid" aria-label={label}>
      {children}
    </ul>
  )
}
