import { Link, Outlet, useLocation } from '../../router/router.tsx'
import type { Permissions } from '../../../shared/contract/users.ts'
import { useUser } from '../../data/session.ts'
import { type MessageKey, t } from '../../i18n/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { TabLinks } from '../../ui/tabs.tsx'
import page from '../../widgets/page.module.css'
import styles from './settings-screen.module.css'

export interface SettingsTab {
  to: string
  label: MessageKey
  /** Required permission. */
  right?: keyof Permissions | undefined
}

/** Layout of the settings: title, tabs, current page. */
export function SettingsScreen({ tabsFor }: { tabsFor: (perm: Permissions) => readonly SettingsTab[] }) {
  const { pathname } = useLocation()
  const { perm } = useUser()
  return (
    <div className={page.screen} data-part="settings">
      <div className={classes(page.head, styles.head)}>
        <h1 className={classes(page.title, styles.title)}>{t('settings.title')}</h1>
        <TabLinks label={t('settings.title')} className={styles.tabs}>
          {tabsFor(perm).map(({ to, label }) => (
            <Link key={to} to={to} aria-current={isWithin(pathname, to) ? 'page' : undefined}>
              {t(label)}
            </Link>
          ))}
        </TabLinks>
      </div>
      <div className={styles.place}>
        <Outlet />
      </div>
    </div>
  )
}

function isWithin(pathname: string, place: string): boolean {
  return pathname === place || pathname.startsWith(`${place}/`)
}
