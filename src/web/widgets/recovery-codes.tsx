import { Download } from 'lucide-react'
import { t } from '../i18n/i18n.tsx'
import { buttonClassName } from '../ui/button.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './recovery-codes.module.css'

/** Recovery codes, shown once, with a copy and a download. @param copy copies a text and reports errors itself */
export function RecoveryCodes({ codes, site, copy }: { codes: readonly string[]; site: string; copy: (text: string) => Promise<boolean> }) {
  const text = codes.join('\n')
  return (
    <div className={styles.codes}>
      <ol className={styles.list} dir="ltr" aria-label={t('factors.codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={styles.actions}>
        <CopyButton label={t('factors.codes.copy')} wide copy={() => copy(text)} />
        <a
          className={buttonClassName({ wide: true })}
          download={`${t('factors.codes')} ${site}.txt`}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${site}\n\n${text}\n`)}`}
        >
          <Download size={18} strokeWidth={1.75} aria-hidden />
          {t('factors.codes.download')}
        </a>
      </div>
    </div>
  )
}
