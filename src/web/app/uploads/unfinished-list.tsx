import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FolderOpen, History, X } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import type { Unfinished } from '../../../shared/contract/tus.ts'
import { type FilePath, nameOf, parentOf } from '../../../shared/file-path.ts'
import { notify } from '../../data/notices.ts'
import { discardUnfinished, restoreUnfinished, matchFiles } from '../../data/uploads/unfinished.ts'
import { uploadTo } from '../../data/uploads/uploads.ts'
import { formatBytes } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { classes } from '../../ui/classes.ts'
import styles from './upload-tray.module.css'

/** Unfinished uploads of an earlier page; choosing the same file again resumes them. */
export function UnfinishedList({ owner, unfinished }: { owner: number; unfinished: readonly Unfinished[] }) {
  const queries = useQueryClient()
  const discard = useMutation({
    mutationFn: discardUnfinished,
    onSettled: () => queries.invalidateQueries({ queryKey: ['unfinished'] }),
  })
  const input = useRef<HTMLInputElement>(null)
  const goOn = async (one: Unfinished) => {
    const job = await restoreUnfinished(owner, one)
    if (job === null) input.current?.click()
    else uploadTo([job])
  }
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const jobs = matchFiles(unfinished, [...(event.target.files ?? [])])
    // Allows choosing the same file again.
    event.target.value = ''
    if (jobs.length === 0) notify({ tone: 'error', text: t('upload.unfinished.other') })
    else uploadTo(jobs)
  }
  return (
    <section className={styles.unfinished} aria-label={t('upload.unfinished')}>
      <p className={styles.hint}>{t('upload.unfinished.text')}</p>
      <ul className="shrinkable-block scroll-y">
        {unfinished.map((one) => (
          <UnfinishedRow key={`${one.path} ${one.upload}`} one={one} onGoOn={() => void goOn(one)} onDiscard={() => discard.mutate(one)} />
        ))}
      </ul>
      <input ref={input} type="file" multiple hidden onChange={take} aria-label={t('upload.unfinished')} data-part="pick-again" />
    </section>
  )
}

function UnfinishedRow({ one, onGoOn, onDiscard }: { one: Unfinished; onGoOn: () => void; onDiscard: () => void }) {
  // The server wrote it from a FilePath.
  const path = one.path as FilePath
  const name = displayName(nameOf(path))
  return (
    <li className={styles.row} data-state="unfinished">
      <History size={18} strokeWidth={1.75} aria-hidden className={styles.icon} />
      <div className={styles.words}>
        <p className={classes(styles.name, 'truncated')} title={displayName(path)}>
          <bdi>{name}</bdi>
        </p>
        <p className={classes(styles.detail, 'truncated')}>
          {t('upload.sent', { sent: formatBytes(one.offset), size: formatBytes(one.length) })} · <bdi>{displayName(parentOf(path))}</bdi>
        </p>
      </div>
      <IconButton size="small" label={t('upload.unfinished.choose', { name })} icon={<FolderOpen size={16} />} onClick={onGoOn} />
      <IconButton size="small" label={t('upload.unfinished.discard', { name })} icon={<X size={16} />} onClick={onDiscard} />
    </li>
  )
}
