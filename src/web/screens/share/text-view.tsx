import { useEffect, useState } from 'react'
import { inTime } from '../../data/chunks.ts'
import { readSharedText } from '../../data/shared-media.ts'
import type { ShareLocation } from '../../data/shared-resource.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { HighlightedText } from '../../widgets/viewers/highlight.ts'
import { renderedKind } from '../../widgets/viewers/rendered.ts'
import { SharedMarkdown } from './shared-markdown.tsx'
import styles from './text-view.module.css'

/** Small enough to render at once. */
const MOST_BYTES = 1024 * 1024

/** Formats without syntax highlighting. */
const PLAIN = /\.(txt|text|log|nfo|csv|tsv|srt|vtt|ass)$/i

/** A shared text, selectable: Markdown as a document, anything else verbatim, code highlighted. */
export function TextView({ place, file }: { place: ShareLocation; file: { name: string; size: number; modified: string } }) {
  const [text, setText] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  // Truncated Markdown is shown as text.
  const isMarkdown = renderedKind(file.name) === 'markdown' && file.size <= MOST_BYTES
  const pieces = usePieces(isMarkdown ? null : text, file.name)
  const { hash, path } = place
  const { size, modified } = file
  // Fetches the text, again for another version.
  useEffect(() => {
    if (size === 0) return setText('')
    const asked = new AbortController()
    readSharedText({ hash, path }, { most: MOST_BYTES, signal: asked.signal }).then(
      (read) => !asked.signal.aborted && setText(read),
      (error: unknown) => !asked.signal.aborted && setFailure(error),
    )
    return () => asked.abort()
  }, [hash, path, size, modified])

  if (failure !== null)
    return (
      <div role="alert">
        <FieldMessage tone="error" text={errorText(failure)} />
      </div>
    )
  if (text === null) return <Spinner size={28} />
  if (isMarkdown) return <SharedMarkdown place={place} name={file.name} text={text} />
  return (
    <div className={styles.text} tabIndex={0} role="region" aria-label={file.name}>
      {size > MOST_BYTES && <p className={styles.cut}>{t('visit.text.cut')}</p>}
      <pre className={styles.lines} dir={pieces === null ? 'auto' : 'ltr'} data-coloured={pieces !== null || undefined}>
        {pieces === null
          ? text
          : pieces.map((piece, at) => (
              <span key={at} className={piece.className}>
                {piece.text}
              </span>
            ))}
      </pre>
    </div>
  )
}

/** Highlighted text; null while the highlighter is not available. */
function usePieces(text: string | null, name: string): readonly HighlightedText[] | null {
  const [coloured, setColoured] = useState<{ of: string; pieces: readonly HighlightedText[] } | null>(null)
  // Loads the highlighter.
  useEffect(() => {
    if (text === null || text === '' || PLAIN.test(name)) return
    let left = false
    const colour = async () => {
      const { highlight } = await inTime(import('../../widgets/viewers/highlight.ts'))
      const pieces = await highlight(text, name)
      if (!left && pieces !== null) setColoured({ of: text, pieces })
    }
    // If it fails to load, the text stays uncoloured.
    colour().catch(() => undefined)
    return () => {
      left = true
    }
  }, [text, name])
  return coloured?.of === text ? coloured.pieces : null
}
