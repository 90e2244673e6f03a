import { Download, FolderInput, FolderOpen, type LucideIcon, Share2, Trash2, X } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FilePath, parentOf, ROOT, segmentsOf } from '../../../../shared/file-path.ts'
import { ask } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { fileAddress, startDownload } from '../../../data/start-download.ts'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { askDelete } from '../deletion.ts'
import { transfer } from '../operations.ts'
import { may } from '../action-rules.ts'
import { report } from '../report.ts'
import styles from './chosen-bar.module.css'
import { commonFolder } from './common-folder.ts'
import type { ResultSelection } from './use-result-selection.ts'

export interface ResultSelectionBarProps {
  chosen: ResultSelection
  onReveal: (path: FilePath) => void
  /** Called after results were moved or deleted. */
  onChanged: () => void
}

/** Actions on the selected results, by permission. */
export function ResultSelectionBar({ chosen, onReveal, onChanged }: ResultSelectionBarProps) {
  const queries = useQueryClient()
  const { perm } = useUser()
  const { hits } = chosen
  const paths = hits.map(({ path }) => path)
  const [first] = hits
  const one = hits.length === 1 ? first : undefined

  const download = (): void => {
    if (one !== undefined && !one.isDir) return startDownload(fileAddress(one.path))
    const subject = one === undefined ? { folder: commonFolder(paths), paths } : { folder: one.path, paths: [] }
    void ask('download', { subject }, { onTop: true })
  }
  const move = async (): Promise<void> => {
    const into = await ask('move', { sources: paths, start: parentOf(first?.path ?? ROOT) }, { onTop: true })
    if (into === null) return
    const going = await transfer(queries, { kind: 'move', sources: outermost(paths), into }, { onTop: true })
    if ((await going?.arrived) === true) onChanged()
  }
  const remove = async (): Promise<void> => {
    if (await askDelete(queries, outermost(paths), { onTop: true })) onChanged()
  }
  return (
    <div className="row wrap gap-2 full-width" role="toolbar" aria-label={t('files.dock')} data-part="search-chosen">
      <IconButton label={t('files.action.clear')} icon={X} onClick={chosen.clear} />
      <p className={styles.count} role="status">
        {t('files.selected', { count: hits.length, number: formatNumber(hits.length) })}
      </p>
      {may(perm, 'download') && <Action label={t('files.action.download')} icon={Download} onDo={download} />}
      {one !== undefined && may(perm, 'share') && (
        <Action
          label={t('files.action.share')}
          icon={Share2}
          onDo={() => void ask('share', { path: one.path, isDir: one.isDir }, { onTop: true })}
        />
      )}
      {one !== undefined && <Action label={t('search.reveal')} icon={FolderOpen} onDo={() => onReveal(one.path)} />}
      {may(perm, 'rename') && <Action label={t('files.action.move')} icon={FolderInput} onDo={() => void move().catch(report)} />}
      {may(perm, 'delete') && <Action label={t('files.action.delete')} icon={Trash2} onDo={() => void remove().catch(report)} danger />}
    </div>
  )
}

interface ActionProps {
  label: string
  icon: LucideIcon
  danger?: boolean
  onDo: () => void
}

/** With a label if there is room. */
function Action({ label, icon, danger, onDo }: ActionProps) {
  const phone = usePhone()
  if (phone) return <IconButton label={label} icon={icon} variant={danger === true ? 'danger' : 'quiet'} onClick={onDo} />
  return (
    <Button label={label} size="small" variant="quiet" className={danger === true ? styles.danger : undefined} icon={icon} onClick={onDo} />
  )
}

/** Without entries inside other selected folders. */
function outermost(paths: readonly FilePath[]): FilePath[] {
  const all = new Set(paths)
  return paths.filter((path) => {
    for (let above = path; segmentsOf(above).length > 1;) {
      above = parentOf(above)
      if (all.has(above)) return false
    }
    return true
  })
}
