import type { ComponentType } from 'react'
import type { Permissions } from '../../shared/contract/users.ts'
import type { MessageKey } from '../i18n/i18n.tsx'
import type { SettingsTab } from '../screens/settings/settings-screen.tsx'
import type { Route } from '../router/match.ts'
import { Navigate } from '../router/router.tsx'
import { RequireAdmin } from './guards.tsx'
import { lazyRoute, lazyScreen } from './lazy-screen.tsx'
import { type RouteTitle, titled } from './title.ts'

/** A page of the settings. */
interface SettingsPage {
  /** A trailing `*` matches the rest of the address. */
  path: string
  title: RouteTitle
  /** Its tab. A page without one belongs to the tab whose address is its prefix. */
  tab?: MessageKey
  /** Other users are redirected to /403 and see no tab. */
  admin?: true
  /** Permission to see the tab; the server checks requests in any case. */
  right?: keyof Permissions
  load: () => Promise<ComponentType>
}

/** One line per page, in tab order. */
const PAGES: readonly SettingsPage[] = [
  {
    path: '/settings/profile',
    title: 'title.profile',
    tab: 'settings.tab.profile',
    load: async () => (await import('../screens/settings/profile/profile-section.tsx')).ProfileSection,
  },
  {
    path: '/settings/shares',
    title: 'title.shares',
    tab: 'settings.tab.shares',
    right: 'share',
    load: async () => (await import('../screens/settings/shares/shares-section.tsx')).SharesSection,
  },
  {
    path: '/settings/global',
    admin: true,
    title: 'title.global',
    tab: 'settings.tab.global',
    load: async () => (await import('../screens/settings/global/global-screen.tsx')).GlobalScreen,
  },
  {
    path: '/settings/sign-in',
    admin: true,
    title: 'title.sign-in',
    tab: 'settings.tab.sign-in',
    load: async () => (await import('../screens/settings/sign-in/sign-in-screen.tsx')).SignInScreen,
  },
  {
    path: '/settings/users',
    admin: true,
    title: 'title.users',
    tab: 'settings.tab.users',
    load: async () => (await import('../screens/settings/users/users-screen.tsx')).UsersScreen,
  },
  {
    path: '/settings/users/import',
    admin: true,
    title: 'title.users',
    load: async () => (await import('../screens/settings/users/import-screen.tsx')).ImportScreen,
  },
  {
    path: '/settings/users/hand-over/*',
    admin: true,
    title: 'title.user',
    load: async () => (await import('../screens/settings/users/hand-over-screen.tsx')).HandOverScreen,
  },
  {
    path: '/settings/users/*',
    admin: true,
    title: 'title.user',
    load: async () => (await import('../screens/settings/users/user-screen.tsx')).UserScreen,
  },
  {
    path: '/settings/groups',
    admin: true,
    title: 'title.groups',
    tab: 'settings.tab.groups',
    load: async () => (await import('../screens/settings/groups/groups-screen.tsx')).GroupsScreen,
  },
  {
    path: '/settings/groups/*',
    admin: true,
    title: 'title.groups',
    load: async () => (await import('../screens/settings/groups/group-screen.tsx')).GroupScreen,
  },
  {
    path: '/settings/tokens',
    admin: true,
    title: 'title.tokens',
    tab: 'title.tokens',
    load: async () => (await import('../screens/settings/tokens/tokens-screen.tsx')).TokensScreen,
  },
  {
    path: '/settings/api',
    title: 'title.api',
    load: async () => (await import('../screens/settings/api/api-screen.tsx')).ApiScreen,
  },
  {
    path: '/settings/mail',
    admin: true,
    title: 'title.mail',
    tab: 'title.mail',
    load: async () => (await import('../screens/settings/mail/mail-screen.tsx')).MailScreen,
  },
  {
    path: '/settings/activity',
    admin: true,
    title: 'title.activity',
    tab: 'settings.tab.activity',
    load: async () => (await import('../screens/settings/activity/activity-screen.tsx')).ActivityScreen,
  },
]

const SettingsScreen = lazyScreen(async () => (await import('../screens/settings/settings-screen.tsx')).SettingsScreen)

const tabs: readonly SettingsTab[] = PAGES.flatMap(({ path, tab, admin = false, right }) =>
  tab === undefined ? [] : { to: path, label: tab, right: admin ? ('admin' as const) : right },
)

/** The tabs that a user may see. */
export function settingsTabs(perm: Permissions): readonly SettingsTab[] {
  return tabs.filter(({ right }) => right === undefined || perm.admin || perm[right])
}

/** The settings: a layout with title and tabs. Must be below the sign-in guard. */
export const settingsRoutes: Route = {
  ...lazyRoute(SettingsScreen, { tabsFor: settingsTabs }),
  children: [
    { path: '/settings', element: <Navigate to="/settings/profile" replace /> },
    ...PAGES.filter(({ admin }) => !admin).map(routeOf),
    { element: <RequireAdmin />, children: PAGES.filter(({ admin }) => admin).map(routeOf) },
  ],
}

function routeOf({ path, title, load }: SettingsPage): Route {
  return { ...lazyRoute(lazyScreen(load), {}), path, title: titled(title) }
}
