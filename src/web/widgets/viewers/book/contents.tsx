import { useEffect, useRef } from 'react'
import { t } from '../../../i18n/i18n.tsx'
import { displayName } from '../../display-name.ts'
import type { ContentsLine } from './book.ts'
import styles from './book-view.module.css'

export interface ContentsProps {
  lines: readonly ContentsLine[]
  /** The current chapter. */
  chapter: number
  dir: 'rtl' | 'auto'
  onChoose: (line: ContentsLine) => void
}

/** Table of contents, beside the text or, on phones, above it. */
export function Contents({ lines, chapter, dir, onChoose }: ContentsProps) {
  const list = useRef<HTMLOListElement>(null)
  // Scrolls to the current chapter.
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current=true]') ?? list.current?.querySelector('button')
    here?.focus()
    here?.scrollIntoView({ block: 'center' })
  }, [])
  const current = lines.findLastIndex((line) => line.chapter <= chapter)
  return (
    <nav className={styles.contents} aria-label={t('book.contents')}>
      <ol ref={list} className="pad-4" dir={dir}>
        {lines.map((line, index) => (
          <li key={index}>
            <button
              type="button"
              className={styles.entry}
              style={{ '--depth': line.depth } as Record<`--${string}`, number>}
              aria-current={index === current || undefined}
              onClick={() => onChoose(line)}
            >
              {displayName(line.title)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
