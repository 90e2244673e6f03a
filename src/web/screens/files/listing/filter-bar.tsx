import { ListFilter, SearchX, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import styles from './filter-bar.module.css'

const ANNOUNCE_AFTER_MS = 500

export interface FilterBarProps {
  text: string
  /** Increases with each request to focus the field. */
  asked: number
  shown: number
  total: number
  onText: (text: string) => void
  /** Removes the filter. */
  onClose: () => void
  /** Moves focus to the list; the filter stays. */
  onLeave: () => void
}

/** Filters the folder while typing and shows the number of matches. */
export function FilterBar({ text, asked, shown, total, onText, onClose, onLeave }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null)
  // Runs after the menu that requested the field has restored focus to its button.
  useEffect(() => {
    if (asked === 0) return
    const focus = () => {
      const field = input.current
      if (field === null || document.activeElement === field) return
      field.focus()
      // Places the cursor after text that was typed before the field existed.
      field.setSelectionRange(field.value.length, field.value.length)
    }
    focus()
    const next = setTimeout(focus)
    return () => clearTimeout(next)
  }, [asked])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const leaves = event.key === 'ArrowDown' || event.key === 'Enter'
    if (!leaves && event.key !== 'Escape') return
    event.preventDefault()
    if (leaves) onLeave()
    else onClose()
  }
  const count = t('files.filter.count', { shown: formatNumber(shown), total: formatNumber(total) })
  const announced = useSettled(text === '' ? '' : count, ANNOUNCE_AFTER_MS)
  return (
    <search className={styles.bar} data-part="filter">
      <TextField
        ref={input}
        className={styles.field}
        label={t('files.action.filter')}
        labelHidden
        start={<ListFilter size={17} strokeWidth={1.75} aria-hidden />}
        value={text}
        onValue={onText}
        placeholder={t('files.filter.placeholder')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        onKeyDown={onKeyDown}
        end={
          <>
            <bdi className={styles.count}>{count}</bdi>
            <IconButton size="small" label={t('files.filter.clear')} shortcut="Esc" icon={X} onClick={onClose} />
          </>
        }
      />
      <p className="sr-only" role="status">
        {announced}
      </p>
    </search>
  )
}

/** Shown instead of the entries if nothing matches. */
export function NothingMatches({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <div className="centered grow faint scroll">
      <EmptyState picture={<SearchX size={64} strokeWidth={1.25} />} title={t('files.filter.none', { text: displayName(text) })}>
        <Button label={t('files.filter.clear')} onClick={onClear} />
      </EmptyState>
    </div>
  )
}
