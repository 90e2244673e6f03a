import { NavLink, Outlet } from 'react-router'
import { t } from '../../i18n/i18n.tsx'
import { TabLinks } from '../../ui/tabs.tsx'
import styles from './settings-screen.module.css'

/** The frame of the settings: the title, and one tab for each place. */
export function SettingsScreen() {
  return (
    <div className={styles.screen}>
      <h1 className={styles.title}>{t('settings.title')}</h1>
      <TabLinks label={t('settings.title')}>
        <NavLink to="/settings/global">{t('global.title')}</NavLink>
        <NavLink to="/settings/users">{t('users.tab')}</NavLink>
      </TabLinks>
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  )
}
