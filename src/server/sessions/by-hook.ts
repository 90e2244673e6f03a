import { isDeepStrictEqual } from 'node:util'
import { detailsOf } from '../../shared/audit-details.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Account, Editable } from '../users/account.ts'
import { createSignInQueue } from '../users/sign-in-queue.ts'
import type { PasswordPolicy } from '../users/policy.ts'
import type { Provisioning } from '../users/provision.ts'
import { usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import { type HookReply, readHookReply } from './hook-reply.ts'
import type { RunHook } from './run-hook.ts'

const TIMEOUT_MS = 10_000
const MAX_OUTPUT_BYTES = 64 * 1024
const SLOTS = 2
/** Others may be writing the same record. */
const ATTEMPTS = 5

export interface HookSignInOptions {
  users: Users
  bus: Bus
  settings: SettingsReader
  provisioning: Provisioning
  policy: PasswordPolicy
  run: RunHook
  log: (line: string) => void
}

export interface Credentials {
  readonly username: string
  readonly password: string
  /** The client's; null on a unix socket. */
  readonly address: string | null
}

/**
 * Asks the operator's program who may sign in. It gets JSON on its standard input: credentials are never part of a command or an environment
 * (GHSA-m93h-4hw7-5qcm). Fails with `hook-failed` if its output is invalid, which is also logged.
 * @returns null if it refuses
 */
export function createHookSignIn({ users, bus, settings, provisioning, policy, run, log }: HookSignInOptions) {
  const queue = createSignInQueue({ slots: SLOTS })

  function failed(why: string, cause?: unknown): never {
    log(`sign-in hook: ${why}`)
    return fail('hook-failed', { output: '' }, { cause })
  }

  async function ask(command: string, { address, ...told }: Credentials): Promise<HookReply> {
    const argv = command.split(' ').filter((word) => word !== '')
    if (argv.length === 0) failed('auth.command is empty')
    const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES }
    const turn = { priority: 'people', subject: `account ${usernameKey(told.username)}`, address } as const
    const { code, stdout } = await queue.run(turn, () =>
      run(argv, { ...limits, stdin: `${JSON.stringify(told)}\n` }).catch((error: unknown) => failed('cannot be started', error)),
    )
    if (code === null) failed('took too long or said too much')
    if (code !== 0) failed(`ended with ${code}`)
    return readHookReply(stdout)
  }

  async function create({ username, password }: Credentials, reply: HookReply): Promise<Account> {
    await policy.check(password)
    const { defaults } = await settings.read()
    // The right to administer and to run commands never comes from the defaults, only from the program itself.
    const granted = reply.grantedOver({ sorting: defaults.sorting, perm: { ...defaults.perm, admin: false, execute: false } })
    const lockPassword = granted.perm?.admin !== true
    return provisioning.provision({ username, password: { text: password }, lockPassword, granted, emptyHome: false })
  }

  /** @returns null if the record was changed meanwhile */
  async function update(account: Account, { password, address }: Credentials, reply: HookReply): Promise<Account | null> {
    const fields = changesOf(account, reply)
    const isSame = (await users.prove(account.username, password, { address }))?.id === account.id
    if (!isSame) await policy.check(password)
    if (isSame && Object.keys(fields).length === 0) return account
    const written = await users.change(account, { fields, password: isSame ? null : password, keep: null })
    if (!written) return null
    const before = Object.fromEntries(Object.keys(fields).map((name) => [name, account[name as keyof Editable]]))
    const details = [...detailsOf(before, fields), ...(isSame ? [] : [{ place: 'password', before: null, after: null }])]
    bus.announce('noted', { kind: 'user-changed', by: null, address: null, subject: account.username, details })
    return users.find(account.id)
  }

  /** The account as the program describes it. Concurrent sign-ins of one person create one account. */
  async function letIn(credentials: Credentials, reply: HookReply): Promise<Account | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const account = await users.findByName(credentials.username)
      if (account !== null) {
        // Users that the program distinguishes must not be confused by us; it does not distinguish names by case alone.
        if (account.disabled || account.username.toLowerCase() !== credentials.username.toLowerCase()) return null
        const updated = await update(account, credentials, reply)
        if (updated !== null) return updated
        continue
      }
      try {
        return await create(credentials, reply)
      } catch (error) {
        if (!isAppError(error, 'name-taken') || (await users.findByName(credentials.username)) === null) throw error
      }
    }
    return fail('busy', {})
  }

  return async (credentials: Credentials, command: string): Promise<Account | null> => {
    const reply = await ask(command, credentials)
    if (reply.action === 'auth') return letIn(credentials, reply)
    if (reply.action === 'pass') return users.prove(credentials.username, credentials.password, credentials)
    return reply.action === 'block' ? null : failed('says neither auth, pass nor block')
  }
}

/** Only fields that differ, so that a sign-in without changes writes nothing; rules and preferences that it cannot name are kept. */
function changesOf(account: Account, reply: HookReply): Partial<Editable> {
  const { scope, ...granted } = reply.grantedOver(account)
  const wanted: Partial<Editable> = {
    ...granted,
    ...(scope !== undefined && cleanScope(scope) !== cleanScope(account.scope) && { scope: cleanScope(scope) }),
    ...(granted.perm?.admin === true && { lockPassword: false }),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(account[name as keyof Editable], value)))
}
