import { CopyMinus } from 'lucide-react'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { DuplicateGroup } from '../../../data/usage.ts'
import { formatBytes, formatNumber } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { useKeepFocus } from '../../../ui/use-keep-focus.ts'
import { UsageRow, UsageList } from './usage-row.tsx'
import styles from './usage-dialog.module.css'
import type { Duplicates } from './use-duplicates.ts'
import type { UsageActions } from './use-usage-actions.ts'

/** Maximum number of groups shown. */
const SHOWN = 100

/** Duplicate files, listed as they are found. Nothing is read before the user starts it. */
export function DuplicatesTab({ duplicates, actions }: { duplicates: Duplicates; actions: UsageActions }) {
  const { state, found, progress, start, stop, forget } = duplicates
  const spare = found.reduce((sum, { size, files }) => sum + size * (files.length - 1), 0)
  const held = useKeepFocus<HTMLDivElement>()
  const running = state === 'running'
  const words =
    found.length === 0 ? t('usage.duplicates.none') : t('usage.duplicates.found', { count: found.length, size: formatBytes(spare) })
  return (
    <>
      <p className={styles.note}>{t('usage.duplicates.text')}</p>
      <div className="row gap-6">
        {running ? (
          <>
            <Button label={t('search.stop')} onClick={stop} />
            <div className="grid grow gap-2">
              <Progress label={t('usage.duplicates')} value={progress && (progress.of === 0 ? 1 : progress.compared / progress.of)} />
              <span className={styles.note}>
                {progress
                  ? t('usage.duplicates.progress', {
                      compared: formatNumber(progress.compared),
                      count: progress.of,
                      of: formatNumber(progress.of),
                    })
                  : ' '}
              </span>
            </div>
          </>
        ) : (
          <Button label={t('usage.duplicates.start')} variant={state === 'idle' ? 'primary' : 'secondary'} onClick={start} />
        )}
      </div>
      <div role="status" className={styles.summary}>
        {state !== 'idle' && (found.length > 0 || state === 'done') && <p>{words}</p>}
        {typeof state === 'object' && 'cut' in state && <p className={styles.note}>{t(`usage.duplicates.cut.${state.cut}`)}</p>}
        {typeof state === 'object' && 'error' in state && <p className={styles.note}>{errorText(state.error)}</p>}
      </div>
      {!running && found.length > 1 && actions.keepOne && (
        <Button
          label={t('usage.duplicates.keep-one')}
          icon={CopyMinus}
          className={styles.keep}
          onClick={() => actions.keepOne?.(found, forget)}
        />
      )}
      <div {...held} className="grid gap-5">
        {found.slice(0, SHOWN).map((copies) => (
          <Group key={copies.id} copies={copies} actions={actions} onGone={forget} />
        ))}
      </div>
    </>
  )
}

function Group({ copies, actions, onGone }: { copies: DuplicateGroup; actions: UsageActions; onGone: (path: FilePath) => void }) {
  const { size, files } = copies
  const label = t('usage.duplicates.group', { count: files.length, size: formatBytes(size) })
  return (
    <section>
      <div className="row wrap between gap-4">
        <h3 className="muted text-section pad-inline-4">{label}</h3>
        {actions.keepOne && (
          <Button
            label={t('usage.duplicates.keep-one.group')}
            size="small"
            variant="quiet"
            onClick={() => actions.keepOne?.([copies], onGone)}
          />
        )}
      </div>
      <UsageList label={label}>
        {files.map((part) => (
          <UsageRow key={part.path} item={part} actions={actions} onGone={() => onGone(part.path)} />
        ))}
      </UsageList>
    </section>
  )
}
