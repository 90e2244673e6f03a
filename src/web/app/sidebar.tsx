import {
  Clock,
  FilePlus,
  FolderOpen,
  FolderPlus,
  FolderUp,
  LogIn,
  LogOut,
  Settings,
  Star,
  Trash2,
  Upload,
  UserPlus,
  UsersRound,
} from 'lucide-react'
import { Suspense } from 'react'
import type { Permissions } from '../../shared/contract/users.ts'
import { ROOT } from '../../shared/file-path.ts'
import { useLocation, useNavigate } from '../router/router.tsx'
import { type CommandName, runCommand, useCan } from '../data/commands.ts'
import { pageConfig } from '../data/page-config.ts'
import { PROJECT_URL } from '../data/project.ts'
import { ask } from '../data/prompts.ts'
import { CURRENT_VIEWING, IS_ELSEWHERE } from '../data/share-context.ts'
import { signOut, useSession } from '../data/session.ts'
import { whenIdle } from '../data/when-idle.ts'
import { t } from '../i18n/i18n.tsx'
import { lazyPart } from '../i18n/lazy-part.ts'
import { classes } from '../ui/classes.ts'
import { Brand } from './brand.tsx'
import { SidebarButton, SidebarLink } from './sidebar-item.tsx'
import styles from './sidebar.module.css'
import { UsageBar } from './usage-bar.tsx'

const Elsewhere = lazyPart(async () =>
  CURRENT_VIEWING === null ? (await import('./shares/in-share.tsx')).InShare : (await import('./viewing/in-viewing.tsx')).InViewing,
)
const NewsBadge = lazyPart(
  async () => (await import('./shares/news-badge.tsx')).NewsBadge,
  () => whenIdle(2000),
)

/** Loaded after the first rows. */
const Pinned = lazyPart(
  async () => (await import('./favourites/pinned-folders.tsx')).PinnedFolders,
  () => whenIdle(2000),
)

/** Navigation: a sidebar, icons only on tablets, in a drawer on phones (then `onChoice` closes it). */
export function Sidebar({ onChoice }: { onChoice?: () => void }) {
  const user = useSession((state) => state.user)
  return (
    <nav className={styles.sidebar} aria-label={t('frame.navigation')} data-part="sidebar">
      {onChoice && (
        <div className={styles.head}>
          <Brand />
        </div>
      )}
      {user === null ? <SignedOut onChoice={onChoice} /> : <SignedIn perm={user.perm} onChoice={onChoice} />}
      <Foot signedIn={user !== null} onChoice={onChoice} />
    </nav>
  )
}

function SignedIn({ perm, onChoice }: { perm: Permissions; onChoice?: () => void }) {
  const mayCreate = perm.create
  const { pathname } = useLocation()
  const order = useCommand(onChoice)
  const canUpload = useCan('upload-files')
  // A menu cannot open above a modal drawer, so its entries are listed there.
  const inDrawer = onChoice !== undefined
  if (IS_ELSEWHERE)
    return (
      <Suspense>
        <Elsewhere onChoice={onChoice} />
      </Suspense>
    )
  return (
    <>
      <ul className={styles.list}>
        <SidebarLink
          to="/files/"
          icon={FolderOpen}
          label={t('sidebar.my-files')}
          current={pathname.startsWith('/files')}
          folder={ROOT}
          onChoice={onChoice}
        />
        <SidebarLink to="/favourites" icon={Star} label={t('title.favourites')} current={pathname === '/favourites'} onChoice={onChoice} />
        <SidebarLink to="/recent" icon={Clock} label={t('title.recent')} current={pathname === '/recent'} onChoice={onChoice} />
        <SidebarLink
          to="/with-me"
          icon={UsersRound}
          label={t(perm.admin || perm.share ? 'title.shared' : 'title.with-me')}
          badge={
            <Suspense>
              <NewsBadge />
            </Suspense>
          }
          current={pathname === '/with-me' || pathname === '/shared'}
          onChoice={onChoice}
        />
        {(perm.admin || perm.create || perm.delete) && (
          <SidebarLink to="/trash" icon={Trash2} label={t('title.trash')} current={pathname === '/trash'} onChoice={onChoice} />
        )}
      </ul>
      {mayCreate && (
        <ul className={styles.list}>
          <SidebarButton icon={FolderPlus} label={t('sidebar.new-folder')} onClick={() => order('new-folder')} />
          <SidebarButton icon={FilePlus} label={t('sidebar.new-file')} onClick={() => order('new-file')} />
          {inDrawer && canUpload && <SidebarButton icon={Upload} label={t('sidebar.upload-files')} onClick={() => order('upload-files')} />}
          {inDrawer && canUpload && (
            <SidebarButton icon={FolderUp} label={t('sidebar.upload-folder')} onClick={() => order('upload-folder')} />
          )}
        </ul>
      )}
      <Suspense>
        <Pinned onChoice={onChoice} />
      </Suspense>
      {/* At the bottom, so that lazily loaded items do not move it. */}
      <ul className={classes(styles.list, styles.end)}>
        <SidebarLink
          to="/settings"
          icon={Settings}
          label={t('sidebar.settings')}
          current={pathname.startsWith('/settings')}
          onChoice={onChoice}
        />
        {pageConfig.AuthMethod === 'json' && <SidebarButton icon={LogOut} label={t('sidebar.logout')} onClick={() => void signOut()} />}
      </ul>
    </>
  )
}

function SignedOut({ onChoice }: { onChoice?: () => void }) {
  if (!pageConfig.LoginPage || pageConfig.HideLoginButton) return null
  return (
    <ul className={styles.list}>
      <SidebarLink to="/login" icon={LogIn} label={t('sidebar.login')} onChoice={onChoice} />
      {pageConfig.Signup && <SidebarLink to="/login?signup" icon={UserPlus} label={t('sidebar.signup')} onChoice={onChoice} />}
    </ul>
  )
}

function Foot({ signedIn, onChoice }: { signedIn: boolean; onChoice?: () => void }) {
  const help = () => {
    onChoice?.()
    void ask('help', {})
  }
  return (
    <div className={styles.foot}>
      {signedIn && CURRENT_VIEWING === null && !pageConfig.DisableUsedPercentage && <UsageBar />}
      <p className={styles.small}>
        {pageConfig.DisableExternal ? (
          <span>Satchel {pageConfig.Version}</span>
        ) : (
          <a href={PROJECT_URL} target="_blank" rel="noreferrer">
            Satchel {pageConfig.Version}
          </a>
        )}
        <button type="button" className={styles.help} onClick={help}>
          {t('frame.help')}
        </button>
      </p>
    </div>
  )
}

/** Runs a command of the listing; on screens without one, navigates to the files first. */
function useCommand(onChoice?: () => void): (command: CommandName) => void {
  const navigate = useNavigate()
  return (command) => {
    onChoice?.()
    if (!runCommand(command)) void navigate('/files/')
  }
}
