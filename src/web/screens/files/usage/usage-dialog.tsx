import { ChevronRight, House } from 'lucide-react'
import { useState } from 'react'
import { type FilePath, parentOf, ROOT } from '../../../../shared/file-path.ts'
import { crumbsOf } from '../../../data/crumbs.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { FileName } from '../../../widgets/file-name.tsx'
import { may } from '../action-rules.ts'
import { useFolderName } from '../folder-name.ts'
import { DuplicatesTab } from './duplicates-tab.tsx'
import { LargestTab } from './largest-tab.tsx'
import { MapTab } from './map-tab.tsx'
import { useDuplicates } from './use-duplicates.ts'
import { type UsageActions, useUsageActions } from './use-usage-actions.ts'
import styles from './usage-dialog.module.css'

const TABS = ['map', 'largest', 'duplicates'] as const
type Tab = (typeof TABS)[number]

/** Disk usage of a folder: treemap, largest files, duplicates. */
export function UsageDialog({ folder, onAnswer, onDismiss }: PromptProps<'usage'>) {
  const { perm } = useUser()
  const [path, setPath] = useState(folder)
  const [walked, setWalked] = useState(false)
  const [tab, setTab] = useState<Tab>('map')
  const actions = useUsageActions(onAnswer)
  const go = (to: FilePath) => {
    setPath(to)
    setWalked(true)
  }
  // Returning to the map keeps its tab.
  const show = (to: Tab) => {
    setTab(to)
    setWalked(false)
  }
  const tabs = TABS.filter((id) => id !== 'duplicates' || may(perm, 'download'))
  return (
    <Dialog title={t('usage.title')} size="vast" full closeLabel={t('action.close')} onDismiss={onDismiss}>
      <Crumbs path={path} onPath={go} />
      <Tabs label={t('usage.title')} tabs={tabs.map((id) => ({ id, label: t(`usage.${id}`) }))} selected={tab} onSelect={show}>
        <Panel key={path} path={path} tab={tab} walked={walked} actions={actions} onFolder={go} />
      </Tabs>
    </Dialog>
  )
}

interface PanelProps {
  path: FilePath
  tab: Tab
  /** Whether the user came from another folder. */
  walked: boolean
  actions: UsageActions
  onFolder: (path: FilePath) => void
}

/** A search for duplicates continues, and keeps its results, while another tab is shown. */
function Panel({ path, tab, walked, actions, onFolder }: PanelProps) {
  const duplicates = useDuplicates(path)
  return (
    <div className={styles.panel}>
      {tab === 'map' && (
        <MapTab path={path} walked={walked} actions={actions} onFolder={onFolder} onUp={() => path !== ROOT && onFolder(parentOf(path))} />
      )}
      {tab === 'largest' && <LargestTab path={path} actions={actions} />}
      {tab === 'duplicates' && <DuplicatesTab duplicates={duplicates} actions={actions} />}
    </div>
  )
}

/** Breadcrumbs; hidden folders are represented by dots that link to the last of them. */
function Crumbs({ path, onPath }: { path: FilePath; onPath: (path: FilePath) => void }) {
  const { hidden, shown } = crumbsOf(path)
  const root = useFolderName()(ROOT)
  const last = hidden.at(-1)
  return (
    <nav aria-label={t('files.breadcrumbs')}>
      <ol className={styles.crumbs}>
        <li>
          <button type="button" className={styles.crumb} aria-current={path === ROOT ? 'page' : undefined} onClick={() => onPath(ROOT)}>
            <House size={18} strokeWidth={1.75} role="img" aria-label={t('files.home')} />
            {path === ROOT && <span>{root}</span>}
          </button>
        </li>
        {last && (
          <li>
            <Chevron />
            <button type="button" className={styles.crumb} aria-label={t('files.breadcrumbs.hidden')} onClick={() => onPath(last.path)}>
              …
            </button>
          </li>
        )}
        {shown.map((crumb) => (
          <li key={crumb.path}>
            <Chevron />
            <button
              type="button"
              className={styles.crumb}
              aria-current={crumb.path === path ? 'page' : undefined}
              onClick={() => onPath(crumb.path)}
            >
              <FileName name={crumb.name} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Chevron() {
  return <ChevronRight className={styles.chevron} size={16} strokeWidth={1.75} aria-hidden />
}
