import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../../data/copy-text.ts'
import { notify } from '../../../data/notices.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './copy-button.module.css'

/** How long the tick stands between its two fades (spec §9). */
const COPIED_MS = 500

/** Copies a text and shows that it did: the icon fades into a tick, and back. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  // Talks to the clock.
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    if (await copyText(text)) setCopied(true)
    else notify({ tone: 'error', text: t('files.info.copy-failed') })
  }
  return (
    <>
      <IconButton
        size="small"
        label={copied ? t('files.info.copied') : label}
        icon={
          <span className={styles.icons} data-copied={copied || undefined}>
            <Copy size={16} strokeWidth={1.75} />
            <Check size={16} />
          </span>
        }
        onClick={() => void copy()}
      />
      <span className="sr-only" role="status">
        {copied ? t('files.info.copied') : ''}
      </span>
    </>
  )
}
