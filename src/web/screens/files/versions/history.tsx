import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { VersionPolicy } from '../../../../shared/contract/versions.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { type FileContent, removeVersion, type VersionedFile } from '../../../data/versions.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { may } from '../action-rules.ts'
import { report } from '../report.ts'
import styles from './history.module.css'
import { NoVersions } from './no-versions.tsx'
import { Stage } from './stage.tsx'
import { VersionList } from './version-list.tsx'

export interface HistoryProps {
  file: VersionedFile
  /** The present content, then the versions, the newest first. */
  contents: readonly FileContent[]
  policy: VersionPolicy
  /** Snapshots that were not looked at. */
  unknownSnapshots: number
  /** There are changes that a restoration would discard. */
  unsaved: boolean
  onRestore: (content: FileContent) => void
}

/** The versions and the chosen one, side by side; on phones one after the other. */
export function History({ file, contents, policy, unknownSnapshots, unsaved, onRestore }: HistoryProps) {
  const { perm } = useUser()
  const queries = useQueryClient()
  const phone = usePhone()
  const [wanted, setWanted] = useState<string | null>(contents[1]?.id ?? null)
  const [isOpen, setOpen] = useState(false)
  const [current] = contents
  const chosen = contents.find(({ id }) => id === wanted) ?? contents[1]
  if (current === undefined || chosen === undefined || contents.length === 1)
    return <NoVersions policy={policy} unknownSnapshots={unknownSnapshots} isEmpty={current?.size === 0} />

  const restore = async () => {
    if (await mayLose({ unsaved, content: !policy.keeps && current.size > 0 })) onRestore(chosen)
  }
  const remove = async () => {
    if (chosen.id === null || !(await askRemove(chosen))) return
    const at = contents.indexOf(chosen)
    const neighbour = contents[at + 1] ?? contents[at - 1]
    await removeVersion(queries, file.path, chosen.id)
    setWanted(neighbour?.id ?? null)
    setOpen(false)
    notify({ tone: 'success', text: t('versions.deleted') })
  }
  const mayModify = may(perm, 'modify') && chosen.id !== null
  const mayDelete = mayModify && may(perm, 'delete') && chosen.snapshot === null
  const list = (
    <VersionList
      contents={contents}
      policy={policy}
      unknownSnapshots={unknownSnapshots}
      chosen={chosen.id}
      onChoose={setWanted}
      onOpen={phone ? () => setOpen(true) : null}
      onDelete={mayDelete ? () => void remove().catch(report) : null}
    />
  )
  if (phone && !isOpen) return <div className={styles.history}>{list}</div>
  return (
    <div className={styles.history}>
      <Stage
        key={chosen.id}
        file={file}
        content={chosen}
        current={current}
        onBack={phone ? () => setOpen(false) : null}
        onRestore={mayModify ? () => void restore().catch(report) : null}
        onDelete={mayDelete ? () => void remove().catch(report) : null}
      />
      {!phone && list}
    </div>
  )
}

/** Asks before anything is lost: unsaved changes, or present content that cannot be kept. */
async function mayLose({ unsaved, content }: { unsaved: boolean; content: boolean }): Promise<boolean> {
  const lost = unsaved && { title: t('editor.leave.title'), text: t('editor.leave.text'), confirmLabel: t('editor.leave.confirm') }
  if (lost !== false && (await ask('confirm', { ...lost, danger: true }, { onTop: true })) === null) return false
  if (!content) return true
  const unkept = { title: t('versions.unkept.title'), text: t('versions.unkept.text'), confirmLabel: t('versions.restore') }
  return (await ask('confirm', { ...unkept, danger: true }, { onTop: true })) !== null
}

async function askRemove({ modified }: FileContent): Promise<boolean> {
  const question = {
    title: t('versions.delete.title'),
    text: t('versions.delete.text', { when: formatDateTime(modified) }),
    confirmLabel: t('files.action.delete-permanently'),
    danger: true,
  }
  return (await ask('confirm', question, { onTop: true })) !== null
}
