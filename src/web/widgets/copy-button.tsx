import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './copy-button.module.css'

/** How long the tick stands between its two fades. */
const COPIED_MS = 500

export interface CopyButtonProps {
  label: string
  /** Copies. @returns whether it did; what went wrong is its own to say */
  copy: () => Promise<boolean>
  /** What copies, where it is not two sheets of paper. */
  icon?: typeof Copy
  /** With its label beside the icon, as wide as its container. */
  wide?: boolean
  /** A word beside the icon, with which the label begins. */
  word?: string
  /** It is what one came for. */
  primary?: boolean
}

/** Copies something and shows that it did: the icon fades into a tick, and back. */
export function CopyButton({ label, copy, icon: Icon = Copy, wide = false, word, primary = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  // Synchronises with the clock.
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const onClick = () => void copy().then(setCopied)
  const icon = (
    <span className={styles.icons} data-copied={copied || undefined}>
      <Icon size={wide ? 18 : 16} strokeWidth={1.75} />
      <Check size={wide ? 18 : 16} />
    </span>
  )
  return (
    <>
      {wide || word !== undefined ? (
        <Button
          variant={primary ? 'primary' : undefined}
          wide={wide}
          size={wide ? 'normal' : 'small'}
          icon={icon}
          aria-label={label}
          onClick={onClick}
        >
          {word ?? label}
        </Button>
      ) : (
        <IconButton size="small" label={copied ? t('files.info.copied') : label} icon={icon} onClick={onClick} />
      )}
      <span className="sr-only" role="status">
        {copied ? t('files.info.copied') : ''}
      </span>
    </>
  )
}
