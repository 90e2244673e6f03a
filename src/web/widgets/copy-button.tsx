import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './copy-button.module.css'

/** How long the check mark is shown. */
const COPIED_MS = 500

export interface CopyButtonProps {
  label: string
  /** Copies and reports errors itself. @returns whether it succeeded */
  copy: () => Promise<boolean>
  /** Default: the copy icon. */
  icon?: typeof Copy
  /** With a visible label, full width. */
  wide?: boolean
  /** A short visible text with which the label starts. */
  word?: string
  /** Styled as the primary action. */
  primary?: boolean
}

/** Copies something and briefly shows a check mark. */
export function CopyButton({ label, copy, icon: Icon = Copy, wide = false, word, primary = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  // Runs after a delay.
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
          label={word ?? label}
          variant={primary ? 'primary' : undefined}
          wide={wide}
          size={wide ? 'normal' : 'small'}
          icon={icon}
          aria-label={label}
          onClick={onClick}
        />
      ) : (
        <IconButton size="small" label={copied ? t('files.info.copied') : label} icon={icon} onClick={onClick} />
      )}
      <span className="sr-only" role="status">
        {copied ? t('files.info.copied') : ''}
      </span>
    </>
  )
}
