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
/** What stands within the frame that is being drawn. */
const OutletContext = createContext<readonly Route[]>([])

/** Shows the route of the address. What is on show stays until the next place is ready to be shown. */
export function Router({ history, routes }: { history: History; routes: readonly Route[] }) {
  const [location, setLocation] = useState(history.location)
  // Talks to the browser's history. Before the effects of what is inside: a redirection may be among them.
  useLayoutEffect(() => history.subscribe(() => startTransition(() => setLocation(history.location()))), [history])
  const here = useMemo(() => ({ history, location, matched: match(routes, location.pathname) ?? [] }), [history, location, routes])
  return (
    <RouterContext value={here}>
      <Level route={here.matched[0]} within={here.matched.slice(1)} />
    </RouterContext>
  )
}

/** Where a frame shows the place that it frames. */
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

/** Another location, be it of the same address, is another attempt. */
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

/** From the outermost frame to the place on show. */
export function useMatched(): readonly Route[] {
  return useRouter().matched
}

/** Goes to another place, or by so many entries through the browser's history. */
export function useNavigate(): History['navigate'] {
  return useRouter().history.navigate
}

export function useSearchParams(): URLSearchParams {
  const { search } = useLocation()
  return useMemo(() => new URLSearchParams(search), [search])
}

/** To be drawn where one should be somewhere else. */
export function Navigate({ to, replace, state }: { to: string } & NavigateOptions): null {
  const navigate = useNavigate()
  // Talks to the browser's history.
  useEffect(() => navigate(to, { replace, state }), [navigate, to, replace, state])
  return null
}

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>, NavigateOptions {
  /** Begins with a slash; without base URL. */
  to: string
}

/** A link within the product. With a modifier key, or another button, it is the browser's. */
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
