import { t } from '../../../i18n/i18n.tsx'
import { classes } from '../../../ui/classes.ts'
import styles from './hints.module.css'

/** Example queries, with the part that the user is to replace. */
const EXAMPLES = [
  { text: 'report -draft', own: 'report -draft', says: 'not' },
  { text: 'ext:docx,odt', own: 'docx,odt', says: 'ext' },
  { text: 'size:10mb..50mb', own: '10mb..50mb', says: 'size' },
  { text: 'modified:2026-01..2026-03', own: '2026-01..2026-03', says: 'modified' },
] as const
/** For users who may read contents. */
const CONTENT_EXAMPLE = { text: 'content:"two words"', own: 'two words', says: 'content' } as const

export interface HintsProps {
  /** Whether contents are searched; null without permission. */
  contents: boolean | null
  /** Inserts an example into the field with `own` selected. */
  onTake: (example: { text: string; own: string }) => void
}

/** Example queries, shown before typing. */
export function Hints({ contents, onTake }: HintsProps) {
  const examples = contents !== null ? [CONTENT_EXAMPLE, ...EXAMPLES] : EXAMPLES
  return (
    <div className={styles.hints}>
      <p>{t(contents === true ? 'search.hint.contents' : 'search.hint')}</p>
      <p className="faint text-small">{t('search.hint.quotes')}</p>
      <ul className={styles.examples} aria-label={t('search.examples')}>
        {examples.map(({ text, own, says }) => (
          <li key={says}>
            <button type="button" className={styles.example} onClick={() => onTake({ text, own })}>
              <code className={classes(styles.text, 'truncated')} dir="ltr">
                {text}
              </code>
              <span className="faint text-small">{t(`search.example.${says}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
