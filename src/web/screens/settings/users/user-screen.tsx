import { Component, type ReactNode, Suspense } from 'react'
import { Navigate, useLocation } from '../../../router/router.tsx'
import { isAppError } from '../../../../shared/errors.ts'
import { useSettings } from '../../../data/settings.ts'
import { useUserRecord } from '../../../data/users.ts'
import { ExistingUser } from './existing-user.tsx'
import { NewUser } from './new-user.tsx'

const PLACE = '/settings/users/'

/** The form of one person, or of a new one: the rest of the address says who. */
export function UserScreen() {
  const { pathname } = useLocation()
  const id = pathname.slice(PLACE.length)
  if (id === '') return <Navigate to="/settings/users" replace />
  if (id === 'new') return <New />
  return (
    // Another person is another form.
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

/** Nobody has this id: the form for a new person. Other failures are the route's. */
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
