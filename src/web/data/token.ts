import * as z from 'zod/mini'
import { FirstMinute, type User, User as UserSchema } from '../../shared/contract/users.ts'

const Claims = z.object({
  exp: z.number(),
  iat: z.number(),
  user: z.object({
    id: UserSchema.shape.id,
    username: z.optional(z.string()),
    locale: z._default(z.string(), ''),
    viewMode: UserSchema.shape.viewMode,
    singleClick: z._default(z.boolean(), false),
    perm: UserSchema.shape.perm,
    commands: z._default(z.array(z.string()), []),
    lockPassword: z._default(z.boolean(), false),
    hideDotfiles: z._default(z.boolean(), false),
    redirectAfterCopyMove: z._default(z.boolean(), false),
    dateFormat: z._default(z.boolean(), false),
    aceEditorTheme: z._default(z.string(), ''),
    ...FirstMinute.shape,
  }),
})

/** The user from a token's claims, for the first paint; the full record follows. Missing claims are empty. @returns null for a malformed token */
export function userFromToken(token: string): User | null {
  const claims = claimsOf(token)
  if (claims === null) return null
  const { mustChangePassword: _, mustSetUpFactor: __, welcome: ___, ...user } = claims
  return {
    ...user,
    username: user.username ?? '',
    password: '',
    scope: '',
    sorting: { by: 'name', asc: false },
    rules: [],
    disabled: false,
  }
}

/** What the user of a token had yet to do when it was issued. */
export function firstMinuteFromToken(token: string): FirstMinute {
  const { mustChangePassword, mustSetUpFactor, welcome } = claimsOf(token) ?? {}
  return { mustChangePassword, ...(mustSetUpFactor === true && { mustSetUpFactor }), welcome }
}

function claimsOf(token: string): z.infer<typeof Claims>['user'] | null {
  const parts = token.split('.')
  const middle = parts[1]
  if (parts.length !== 3 || middle === undefined) return null
  return Claims.safeParse(jsonFrom(middle)).data?.user ?? null
}

function jsonFrom(base64url: string): unknown {
  try {
    const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))))
  } catch {
    return null
  }
}
