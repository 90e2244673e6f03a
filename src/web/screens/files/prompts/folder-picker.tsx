import { ChevronRight, CornerLeftUp, House } from 'lucide-react'
import { type FilePath, nameOf, parentOf, ROOT } from '../../../../shared/file-path.ts'
import { useFolder } from '../../../data/folders.ts'
import { entryAt } from '../../../data/listing.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { FileName } from '../../../widgets/file-name.tsx'
import { crumbsOf } from '../../../data/crumbs.ts'
import styles from './folder-picker.module.css'

export interface FolderPickerProps {
  path: FilePath
  onPath: (path: FilePath) => void
  /** Folders that cannot be entered, because they are themselves on their way. */
  barred: ReadonlySet<FilePath>
}

/** More folders than this are not browsed but typed; the rest is counted. */
const MOST = 500

/** Browses folders: the one on show is the one chosen. */
export function FolderPicker({ path, onPath, barred }: FolderPickerProps) {
  const { folder, error } = useFolder(path)
  const count = Math.min(MOST, folder?.numDirs ?? 0)
  return (
    <div className={styles.picker}>
      <PickerPath path={path} onPath={onPath} />
      <ul className={styles.list} aria-label={t('files.picker.folders')} aria-busy={folder === null && error === null}>
        {path !== ROOT && (
          <li>
            <button type="button" className={styles.folder} onClick={() => onPath(parentOf(path))}>
              <CornerLeftUp size={20} strokeWidth={1.75} aria-hidden />
              <span>{t('files.picker.up')}</span>
            </button>
          </li>
        )}
        {folder !== null &&
          Array.from({ length: count }, (_, position) => entryAt(folder, position)).map((entry) => (
            <li key={entry.name}>
              <button type="button" className={styles.folder} disabled={barred.has(entry.path)} onClick={() => onPath(entry.path)}>
                <EntryIcon name={entry.name} type="" isDir size={24} />
                <FileName name={entry.name} />
                <ChevronRight className={styles.enter} size={18} aria-hidden />
              </button>
            </li>
          ))}
        {folder !== null && folder.numDirs > MOST && (
          <li className={styles.word}>{t('files.picker.more', { count: folder.numDirs - MOST })}</li>
        )}
        {folder?.numDirs === 0 && <li className={styles.word}>{t('files.picker.none')}</li>}
        {folder === null && (
          <li className={styles.word}>{error === null ? <Spinner size={20} /> : <span role="alert">{errorText(error)}</span>}</li>
        )}
      </ul>
    </div>
  )
}

function PickerPath({ path, onPath }: Pick<FolderPickerProps, 'path' | 'onPath'>) {
  const { hidden, shown } = crumbsOf(path)
  const steps = hidden.length > 0 ? [{ name: '…', path: hidden.at(-1)?.path ?? ROOT }, ...shown] : shown
  return (
    <p className={styles.path}>
      <button type="button" className={styles.step} onClick={() => onPath(ROOT)} aria-label={t('files.home')}>
        <House size={18} strokeWidth={1.75} aria-hidden />
      </button>
      {steps.map((step) => (
        <span key={step.path} className={styles.stepPart}>
          <ChevronRight className={styles.chevron} size={16} aria-hidden />
          <button
            type="button"
            className={styles.step}
            aria-label={step.name === '…' ? nameOf(step.path) : undefined}
            aria-current={step.path === path ? 'location' : undefined}
            onClick={() => onPath(step.path)}
          >
            {step.name === '…' ? '…' : <FileName name={step.name} />}
          </button>
        </span>
      ))}
    </p>
  )
}
