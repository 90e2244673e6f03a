import { ListFilter, SearchX, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import styles from './filter-bar.module.css'

const ANNOUNCE_AFTER_MS = 500

export interface FilterBarProps {
  text: string
  /** Grows each time somebody asks for the field, which then has the focus. */
  asked: number
  shown: number
  total: number
  onText: (text: string) => void
  /** Shows the folder whole again. */
  onClose: () => void
  /** Down into the list; the filter stays. */
  onLeave: () => void
}

/** A field that narrows the folder on show with every letter, and how much is left of it. */
export function FilterBar({ text, asked, shown, total, onText, onClose, onLeave }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null)
  // Gives the keyboard its place; a menu that asked for the field gives the focus back to its button a moment later.
  useEffect(() => {
    if (asked === 0) return
    const focus = () => {
      const field = input.current
      if (field === null || document.activeElement === field) return
      field.focus()
      // Behind what was typed before the field was there.
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
            <IconButton
              size="small"
              label={t('files.filter.clear')}
              shortcut="Esc"
              icon={<X size={17} strokeWidth={1.75} />}
              onClick={onClose}
            />
          </>
        }
      />
      <Spoken text={text === '' ? '' : count} />
    </search>
  )
}

/** In the place of the entries, when none is left. */
export function NothingMatches({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <div className={styles.none}>
      <EmptyState picture={<SearchX size={64} strokeWidth={1.25} />} title={t('files.filter.none', { text: displayName(text) })}>
        <Button onClick={onClear}>{t('files.filter.clear')}</Button>
      </EmptyState>
    </div>
  )
}

/** Said once the typing rests. */
function Spoken({ text }: { text: string }) {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ANNOUNCE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p className="sr-only" role="status">
      {settled}
    </p>
  )
}
