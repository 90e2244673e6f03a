import { Download, Eye, FilePen, Trash2, Upload } from 'lucide-react'
import type { ShareVisit } from '../../../shared/contract/shares.ts'
import type { PromptProps } from '../../data/prompts.ts'
import { nameOfShare } from '../../data/share-links.ts'
import { useShareVisits } from '../../data/shares.ts'
import { formatDate, formatDateExact, formatNumber } from '../../i18n/format.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { Loading } from '../../widgets/loading.tsx'
import styles from './shares.module.css'

const ICONS = { visit: Eye, download: Download, upload: Upload, rename: FilePen, delete: Trash2 }

/** Visits of a share link, with downloads and uploads, newest first. */
export function ShareVisitsDialog({ share, onDismiss }: PromptProps<'share-visits'>) {
  const { visits, error } = useShareVisits(share.hash)
  return (
    <Dialog
      title={t('share.visits', { name: nameOfShare(share) })}
      description={describe(visits ?? [])}
      size="wide"
      onDismiss={onDismiss}
      actions={<Button label={t('action.close')} variant="primary" onClick={onDismiss} data-autofocus />}
    >
      {error !== null ? (
        <div role="alert">
          <FieldMessage tone="error" text={errorText(error)} />
        </div>
      ) : visits === null ? (
        <Loading height="120px" />
      ) : visits.length === 0 ? (
        <EmptyState title={t('share.visits.none')} text={t(share.logVisits ? 'share.visits.none.text' : 'share.visits.off')} />
      ) : (
        <ul className="grid" aria-label={t('share.visits', { name: nameOfShare(share) })}>
          {visits.map((visit, index) => (
            <Visit key={index} visit={visit} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Visit({ visit: { kind, path, at, address, sender, note } }: { visit: ShareVisit }) {
  const Icon = ICONS[kind]
  const when = new Date(at)
  return (
    <li className={styles.visit} data-kind={kind}>
      <Icon size={18} strokeWidth={1.75} className={styles.glyph} aria-hidden />
      <div className="grid grow gap-1 shrinkable">
        <p className="text-name break-anywhere">
          {t(`share.visit.${kind}`)} {path !== '' && <bdi className="strong">{displayName(path)}</bdi>}
        </p>
        <p className={styles.meta}>
          <time dateTime={when.toISOString()} title={formatDateExact(when)}>
            {formatDate(when)}
          </time>
          {address !== '' && <bdi>{address}</bdi>}
          {sender !== '' && (
            <span>
              {t('share.visit.by')} <bdi>{sender}</bdi>
            </span>
          )}
        </p>
        {note !== '' && (
          <p className={styles.note} dir="auto">
            {note}
          </p>
        )}
      </div>
    </li>
  )
}

function describe(visits: readonly ShareVisit[]): string | undefined {
  const count = (kind: ShareVisit['kind']): number => visits.filter((visit) => visit.kind === kind).length
  const amounts = { visits: count('visit'), downloads: count('download'), uploads: count('upload') }
  return visits.length === 0 ? undefined : t('share.visits.summary', { ...amounts, all: formatNumber(visits.length) })
}
