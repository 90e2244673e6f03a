import { Component, type ReactNode, Suspense } from 'react'
import { Navigate, useLocation } from '../../../router/router.tsx'
import { isAppError } from '../../../../shared/errors.ts'
import { useSettings } from '../../../data/settings.ts'
import { useUserRecord } from '../../../data/users.ts'
import { ExistingUser } from './existing-user.tsx'
import { NewUser } from './new-user.tsx'

const PLACE = '/settings/users/'

/** Form of a new or an existing user, depending on the address. */
export function UserScreen() {
  const { pathname } = useLocation()
  const id = pathname.slice(PLACE.length)
  if (id === '') return <Navigate to="/settings/users" replace />
  if (id === 'new') return <New />
  return (
    // Remounts for another user.
    <UnlessUnknown key={id}>
      <Existing id={id} />
    </UnlessUnknown>
  )
}

function New() {
  return <NewUser settings={useSettings()} />
}

function Existing({ id }: { id: string }) {
  const settings = useSettings()
  return <ExistingUser user={useUserRecord(id)} settings={settings} />
}

/** For an unknown id, shows the form for a new user; other errors go to the route. */
class UnlessUnknown extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === null) return <Suspense>{this.props.children}</Suspense>
    if (isAppError(error, 'not-found')) return <Navigate to="/settings/users/new" replace />
    throw error
  }
}
