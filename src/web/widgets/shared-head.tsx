import type { ReactNode } from 'react'
import { t } from '../i18n/i18n.tsx'
import { TabLinks } from '../ui/tabs.tsx'
import page from './page.module.css'

interface SharedHeadProps {
  /** Whether the user may share: others have the first page only. */
  both: boolean
  text: string | undefined
  /** Renders the link to one of the pages. */
  link: (to: '/with-me' | '/shared', label: string) => ReactNode
}

/** Title of the two pages of what is shared: by others with the user, and by the user. */
export function SharedHead({ both, text, link }: SharedHeadProps) {
  return (
    <div className="grid gap-3">
      <h1 className={page.title}>{t(both ? 'title.shared' : 'title.with-me')}</h1>
      {both && (
        <TabLinks label={t('title.shared')}>
          {link('/with-me', t('title.with-me'))}
          {link('/shared', t('title.by-me'))}
        </TabLinks>
      )}
      {text !== undefined && <p className="muted text-small">{text}</p>}
    </div>
  )
}
