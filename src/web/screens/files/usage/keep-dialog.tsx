import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PromptProps } from '../../../data/prompts.ts'
import { fateQuery } from '../../../data/trash-policy.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { KEEP, type Keep, keptOf, spareOf } from './keep-one.ts'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import styles from './usage-dialog.module.css'

/** Asks which file of each group to keep, and shows what is deleted and freed. */
export function KeepDialog({ groups, onAnswer, onDismiss }: PromptProps<'keep-one'>) {
  const [keep, setKeep] = useState<Keep>('oldest')
  const { parts, bytes } = spareOf(groups, keep)
  const { data: fate } = useQuery(fateQuery(parts.map(({ path }) => path)))
  const [only] = groups
  const kept = groups.length === 1 && only ? keptOf(only.files, keep) : null
  return (
    <Dialog
      title={t('usage.duplicates.keep.title')}
      description={t(fate?.restorable === true ? 'usage.duplicates.keep.trash' : 'usage.duplicates.keep.text', {
        count: parts.length,
        size: formatBytes(bytes),
        days: fate?.days ?? 0,
      })}
      size="small"
      onDismiss={onDismiss}
      actions={
        <DialogActions
          onCancel={onDismiss}
          submit={t('usage.duplicates.keep.submit', { count: parts.length })}
          onDanger={() => onAnswer(parts)}
        />
      }
    >
      <Select
        label={t('usage.duplicates.keep.which')}
        value={keep}
        options={KEEP.map((value) => ({ value, label: t(`usage.duplicates.keep.${value}`) }))}
        onValue={setKeep}
      />
      {kept && <p className={styles.note}>{t('usage.duplicates.keep.kept', { name: displayName(kept.path) })}</p>}
    </Dialog>
  )
}
