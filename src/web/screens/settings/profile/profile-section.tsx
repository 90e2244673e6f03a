import { pageConfig } from '../../../data/page-config.ts'
import { useUser } from '../../../data/session.ts'
import { AppsCard } from './apps-card.tsx'
import { AppearanceCard } from './appearance-card.tsx'
import { ConnectionsCard } from './connections-card.tsx'
import { DevicesCard } from './devices-card.tsx'
import { registerFactorPrompts } from './factor-prompts.ts'
import { FactorsCard } from './factors-card.tsx'
import { MailCard } from './mail-card.tsx'
import { NoticesCard } from './notices-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { PreferencesCard } from './preferences-card.tsx'
import { TokensCard } from '../tokens/tokens-card.tsx'
import { RecentCard } from './recent-card.tsx'
import { ViewingsCard } from './viewings-card.tsx'
import styles from './profile-section.module.css'

registerFactorPrompts()

/** The user's own settings. */
export function ProfileSection() {
  const { lockPassword, webdavDisabled = false } = useUser()
  return (
    <div className={styles.cards}>
      <div className={styles.column}>
        <PreferencesCard />
        <AppearanceCard />
        <RecentCard />
        <ViewingsCard />
      </div>
      <div className={styles.column}>
        {!lockPassword && <PasswordCard />}
        {/* Where a proxy vouches for people, or nobody signs in, no factor is asked for. */}
        {pageConfig.LoginPage && <FactorsCard />}
        <MailCard />
        <NoticesCard />
        {(pageConfig.Providers.length > 0 || pageConfig.Directories) && <ConnectionsCard />}
        {/* Without sign-in there are no other sessions. */}
        {!pageConfig.NoAuth && <DevicesCard />}
        <TokensCard />
        {pageConfig.WebDAV && !webdavDisabled && <AppsCard />}
      </div>
    </div>
  )
}
