import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type Ref, useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './pdf-view.module.css'
import type { PdfViewing } from './use-viewer.ts'

/** Searches the text of a PDF while one types; Enter goes to the next match, Shift+Enter to the previous one. */
export function PdfSearch({ ref, viewing, onClose }: { ref: Ref<HTMLInputElement>; viewing: PdfViewing; onClose: () => void }) {
  const [text, setText] = useState('')
  const { found } = viewing
  const move = (previous: boolean) => text !== '' && viewing.find(text, { again: true, previous })
  return (
    <search className={styles.search}>
      <input
        ref={ref}
        className={styles.words}
        type="search"
        aria-label={t('editor.find')}
        placeholder={t('pdf.find')}
        value={text}
        autoFocus
        dir="auto"
        onChange={({ target }) => {
          setText(target.value)
          if (target.value === '') viewing.endFind()
          else viewing.find(target.value, { again: false, previous: false })
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.stopPropagation()
          move(event.shiftKey)
        }}
      />
      <span className="muted text-small nowrap" role="status">
        {text !== '' && found !== null && outcome(found)}
      </span>
      <IconButton label={t('pdf.match.previous')} icon={ChevronUp} disabled={text === ''} onClick={() => move(true)} />
      <IconButton label={t('pdf.match.next')} icon={ChevronDown} disabled={text === ''} onClick={() => move(false)} />
      <IconButton label={t('pdf.match.close')} icon={X} onClick={onClose} />
    </search>
  )
}

function outcome({ current, total, isMissing }: NonNullable<PdfViewing['found']>): string {
  if (isMissing && total === 0) return t('pdf.match.none')
  return total === 0 ? '' : t('preview.place', { at: formatNumber(current), count: formatNumber(total) })
}
