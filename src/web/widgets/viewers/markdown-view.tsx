import { type MouseEvent, useEffect, useRef } from 'react'
import { t } from '../../i18n/i18n.tsx'
import { type References, renderMarkdown } from './markdown.ts'
import styles from './markdown-view.module.css'

/** Longer texts would block the page while parsing. */
const MAX_MARKDOWN_CHARS = 1024 * 1024

export interface MarkdownViewProps {
  text: string
  name: string
  references: References
  /** An internal link was followed. */
  onFollow: (address: string) => void
}

/** Sanitised Markdown (markdown.ts). */
export function MarkdownView({ text, name, references, onFollow }: MarkdownViewProps) {
  const sheet = useRef<HTMLElement>(null)
  const long = text.length > MAX_MARKDOWN_CHARS
  // Inserts nodes that React did not create.
  useEffect(() => {
    const element = sheet.current
    if (element === null || long) return
    const piece = renderMarkdown(text, references)
    for (const image of piece.querySelectorAll('img[data-elsewhere]')) image.replaceWith(signFor(image))
    element.replaceChildren(piece)
  }, [text, references, long])

  const click = (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const href = link?.getAttribute('href') ?? null
    if (href === null || link?.target === '_blank' || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (!href.startsWith('#')) return onFollow(href)
    const heading = [...(sheet.current?.querySelectorAll('[data-slug]') ?? [])].find((one) => `#${one.getAttribute('data-slug')}` === href)
    heading?.scrollIntoView({ block: 'start' })
  }
  if (long) return <p className={styles.long}>{t('markdown.long')}</p>
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={t('markdown.label', { name })}>
      <article ref={sheet} className={styles.sheet} dir="auto" data-part="markdown" onClick={click} />
    </div>
  )
}

/** Replaces an external image, which would reveal the reader to its server. */
function signFor(image: Element): HTMLElement {
  const sign = document.createElement('span')
  const alt = image.getAttribute('alt') ?? ''
  const host = image.getAttribute('data-elsewhere') ?? ''
  sign.textContent = [alt, host === '' || host === 'here.invalid' ? t('markdown.no-image') : t('markdown.image-elsewhere', { host })]
    .filter(Boolean)
    .join(' · ')
  // Our text may have another direction than the document.
  sign.dir = 'auto'
  sign.className = styles.absent ?? ''
  return sign
}
