import { appSignIns } from '../../shared/contract/app-sign-ins.ts'
import { fail } from '../../shared/errors.ts'
import { ROOT } from '../../shared/file-path.ts'
import type { Caller } from '../access/caller.ts'
import { performerOf } from '../access/viewer.ts'
import { expectSwitchedOn, type DavDeps } from '../dav/routes.ts'
import { mount, readText } from '../http/mount.ts'
import type { Context, Router } from '../http/router.ts'
import { FILE_RIGHTS } from '../../shared/contract/rights.ts'
import { NO_RIGHTS } from '../access/permissions.ts'
import { rightsInTree } from '../tokens/rights.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { accessOf } from '../users/access-of.ts'
import type { GrantedTo } from '../users/access-of.ts'
import type { Users } from '../users/users.ts'
import type { LoginFlows } from './login-flows.ts'

export interface LoginDeps extends DavDeps {
  readonly loginFlows: LoginFlows
  readonly tokens: Tokens
  readonly users: Pick<Users, 'find'>
  readonly grantedTo: GrantedTo
  readonly requireProof: (caller: Caller) => Promise<void>
  /** Count what comes from an address, and fail with `too-many-requests`. */
  readonly countLoginFlow: (address: string) => void
  readonly countPoll: (address: string) => void
  /** Scheme, host and port by which the request came, or as the operator says. */
  readonly originOf: (request: Request, options: { secure: boolean }) => string
}

const MAX_FORM_BYTES = 4096

/**
 * Login flow v2: a program opens our sign-in page in a browser and waits for an app password. That is an API token for all files of the person, without
 * administration and commands, which is listed and revoked like any other.
 */
export function mountLoginFlow(app: Router, deps: LoginDeps): void {
  const { loginFlows, settings, users, requireProof } = deps

  app.on(['POST'], '/index.php/login/v2', async (c) => {
    await expectSwitchedOn(deps, c)
    deps.countLoginFlow(c.bindings.peer ?? '')
    const { poll, flow } = await loginFlows.begin({ client: c.header('user-agent') ?? '', address: c.bindings.peer })
    const server = serverOf(deps, c)
    return Response.json({
      poll: { token: poll, endpoint: `${server}/index.php/login/v2/poll` },
      login: `${server}/connect/${flow}`,
    })
  })

  app.on(['POST'], '/index.php/login/v2/poll', async (c) => {
    await expectSwitchedOn(deps, c)
    deps.countPoll(c.bindings.peer ?? '')
    const token = new URLSearchParams(await readText(c.request, MAX_FORM_BYTES)).get('token') ?? ''
    const taken = await loginFlows.take(token)
    return taken === null ? Response.json([], { status: 404 }) : Response.json(await credentialsFor(deps, c, taken))
  })

  mount(app, appSignIns.read, async ({ params }) => {
    if (!(await settings.read()).webdav) fail('not-found', {})
    return loginFlows.read(params.id)
  })

  mount(app, appSignIns.allow, async ({ params, viewer, peer, body }) => {
    if (!(await settings.read()).webdav) fail('not-found', {})
    if ((await users.find(viewer.userId))?.webdavDisabled === true) fail('forbidden', { right: 'webdav' })
    await loginFlows.read(params.id)
    await requireProof({ viewer, address: peer, password: body.current_password })
    await loginFlows.allow(params.id, viewer.userId)
    return undefined
  })

  mount(app, appSignIns.refuse, async ({ params }) => {
    if (!(await settings.read()).webdav) fail('not-found', {})
    await loginFlows.refuse(params.id)
    return undefined
  })
}

/** The address of this server, without trailing slash. */
export function serverOf({ originOf, baseUrl }: Pick<LoginDeps, 'originOf' | 'baseUrl'>, c: Context): string {
  return `${originOf(c.request, { secure: c.bindings.secure === true })}${baseUrl}`
}

async function credentialsFor(deps: LoginDeps, c: Context, { userId, client }: { userId: number; client: string }): Promise<object> {
  const { users, tokens, settings, grantedTo } = deps
  const account = (await users.find(userId)) ?? fail('not-found', {})
  if (account.disabled || account.webdavDisabled === true) fail('not-found', {})
  const may = rightsInTree(accessOf(account, await settings.read(), await grantedTo(userId)))
  const perm = { ...NO_RIGHTS, ...Object.fromEntries(FILE_RIGHTS.map((right) => [right, may.admin || may[right]])) }
  const owner = { id: userId, username: account.username, may: may.admin ? { ...may, ...perm } : may }
  const { token } = await tokens.create(
    owner,
    { name: client, perm, folder: ROOT, expires: null },
    { by: performerOf({ userId, username: account.username }), address: c.bindings.peer },
  )
  return { server: serverOf(deps, c), loginName: account.username, appPassword: token }
}
