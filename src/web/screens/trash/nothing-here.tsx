import { SearchX, Trash2 } from 'lucide-react'
import { useEffect } from 'react'
import type { FilePath } from '../../../shared/file-path.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

export interface NothingHereProps {
  /** Searched for. */
  text: string
  folder: FilePath | null
  /** The trash is switched off. */
  off: boolean
  onClear: () => void
}

/** Why nothing is listed. */
export function NothingHere({ text, folder, off, onClear }: NothingHereProps) {
  // The last row may have had the focus.
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#main')?.focus()
  }, [])
  if (text !== '') {
    return (
      <EmptyState picture={<SearchX size={64} strokeWidth={1.25} />} title={t('search.none.title')}>
        <Button label={t('search.clear')} onClick={onClear} />
      </EmptyState>
    )
  }
  const picture = <Trash2 size={64} strokeWidth={1.25} />
  if (folder !== null) return <EmptyState picture={picture} title={t('trash.here.none')} />
  if (off) return <EmptyState picture={picture} title={t('trash.off.title')} text={t('trash.off.text')} />
  return <EmptyState picture={picture} title={t('trash.none.title')} text={t('trash.none.text')} />
}

export function Unreadable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState title={t('places.failed')} text={errorText(error)}>
        <Button label={t('action.retry')} variant="primary" onClick={onRetry} />
      </EmptyState>
    </div>
  )
}
