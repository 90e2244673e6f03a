import {
  type AnchorHTMLAttributes,
  Component,
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { History, Location, NavigateOptions } from './history.ts'
import { match, type Route } from './match.ts'

interface RouterState {
  history: History
  location: Location
  matched: readonly Route[]
}

const RouterContext = createContext<RouterState | null>(null)
/** The routes inside the layout being rendered. */
const OutletContext = createContext<readonly Route[]>([])

/** Renders the current route. The previous page stays until the next one is ready. */
export function Router({ history, routes }: { history: History; routes: readonly Route[] }) {
  const [location, setLocation] = useState(history.location)
  // A layout effect, so that it subscribes before effects of children, which may redirect.
  useLayoutEffect(() => history.subscribe(() => startTransition(() => setLocation(history.location()))), [history])
  const here = useMemo(() => ({ history, location, matched: match(routes, location.pathname) ?? [] }), [history, location, routes])
  return (
    <RouterContext value={here}>
      <Level route={here.matched[0]} within={here.matched.slice(1)} />
    </RouterContext>
  )
}

/** Renders the child route of a layout. */
export function Outlet() {
  const [route, ...within] = use(OutletContext)
  return <Level route={route} within={within} />
}

function Level({ route, within }: { route: Route | undefined; within: readonly Route[] }) {
  const location = useLocation()
  if (route === undefined) return null
  const shown = <OutletContext value={within}>{route.element}</OutletContext>
  if (route.errorElement === undefined) return shown
  return (
    <Boundary at={location} failure={route.errorElement}>
      {shown}
    </Boundary>
  )
}

interface BoundaryProps {
  at: Location
  failure: ComponentType<{ error: unknown }>
  children: ReactNode
}

interface BoundaryState {
  at: Location
  caught: { error: unknown } | null
}

/** Resets on every navigation, even to the same address. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { at: this.props.at, caught: null }

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } }
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState) {
    return at === state.at ? null : { at, caught: null }
  }

  override render() {
    const { caught } = this.state
    const { failure: Failure, children } = this.props
    return caught === null ? children : <Failure error={caught.error} />
  }
}

function useRouter(): RouterState {
  const here = use(RouterContext)
  if (here === null) throw new Error('there is no address outside of a Router')
  return here
}

export function useHistory(): History {
  return useRouter().history
}

export function useLocation(): Location {
  return useRouter().location
}

/** The matched route and its layouts, outermost first. */
export function useMatched(): readonly Route[] {
  return useRouter().matched
}

/** Navigates to an address, or by a number of history entries. */
export function useNavigate(): History['navigate'] {
  return useRouter().history.navigate
}

export function useSearchParams(): URLSearchParams {
  const { search } = useLocation()
  return useMemo(() => new URLSearchParams(search), [search])
}

/** Redirects when rendered. */
export function Navigate({ to, replace, state }: { to: string } & NavigateOptions): null {
  const navigate = useNavigate()
  // Synchronises with the browser's history.
  useEffect(() => navigate(to, { replace, state }), [navigate, to, replace, state])
  return null
}

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>, NavigateOptions {
  /** Starts with a slash; without base URL. */
  to: string
}

/** Client-side link. With a modifier key or another mouse button the browser handles it. */
export function Link({ to, replace, state, onClick, children, ...rest }: LinkProps) {
  const history = useHistory()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    history.navigate(to, { replace: replace ?? history.isHere(to), state })
  }
  return (
    <a {...rest} href={history.hrefOf(to)} onClick={follow}>
      {children}
    </a>
  )
}
