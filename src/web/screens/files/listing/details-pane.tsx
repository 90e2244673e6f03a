import { X } from 'lucide-react'
import { useDeferredValue, useMemo, useSyncExternalStore } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { Listing } from '../../../data/listing.ts'
import type { Selection } from '../../../data/selection.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Details, type InfoSubject } from '../prompts/details.tsx'
import { classes } from '../../../ui/classes.ts'
import styles from './details-pane.module.css'

export interface DetailsPaneProps {
  listing: Listing
  selection: Selection
  subjectOf: () => InfoSubject
  onUsage: (folder: FilePath) => void
  onGo: (url: string) => void
  onClose: () => void
}

/** Details pane: shows the selected entries, otherwise the folder. */
export function DetailsPane({ listing, selection, subjectOf, onUsage, onGo, onClose }: DetailsPaneProps) {
  const now = useSyncExternalStore(selection.subscribe, () => selection.version)
  // Deferred, so that it does not slow down moving through the list.
  const version = useDeferredValue(now)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the subject is what is selected at this version
  const subject = useMemo(subjectOf, [version, listing])
  return (
    <aside className={classes(styles.pane, 'not-printed')} aria-label={t('files.info.title')} data-part="details-pane">
      <header className={styles.head}>
        <h2 className="text-section">{t('files.info.title')}</h2>
        <IconButton size="small" label={t('action.close')} icon={X} iconSize={18} onClick={onClose} />
      </header>
      <Details key={keyOf(subject)} subject={subject} onUsage={onUsage} onGo={onGo} />
    </aside>
  )
}

/** Remounts for another subject. */
function keyOf(subject: InfoSubject): string {
  if (subject.kind === 'entry') return `${subject.entry.path} ${subject.entry.modified}`
  if (subject.kind === 'folder') return subject.listing.path
  return `${subject.files} ${subject.size} ${subject.folderPaths.join('/')}`
}
