import { directories as calls, type Directory, type DirectoryInput, directory as own } from '../../shared/contract/directories.ts'
import { DirectoryFields } from '../../shared/contract/directories.ts'
import { fail } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Attempt } from '../sessions/limiter.ts'
import { usernameKey } from '../users/username.ts'
import { arrivalOf } from './arrival.ts'
import { checkDirectory, type CheckedDirectory, isElsewhere, type StoredDirectory } from './directory.ts'
import { changesOf, removeDirectory } from './changes.ts'
import type { Directories } from './module.ts'

const MOST_DIRECTORIES = 10

type By = { readonly viewer: Viewer; readonly peer: string | null }

/** Directories for administrators, and connecting one's own account with a person of a directory. */
export function mountDirectories(app: Router, { directories }: { readonly directories: Directories }): void {
  const { store, links, bus, users } = directories
  const found = async (id: string): Promise<CheckedDirectory> => (await store.find(id)) ?? fail('not-found', {})
  const prove = ({ viewer, peer }: By, password: string | undefined) => directories.requireProof({ viewer, address: peer, password })

  /** For the audit trail; contains no secret. */
  function note({ viewer, peer }: By, { subject, details }: { subject: string; details: ReturnType<typeof changesOf> }): void {
    bus.announce('noted', {
      kind: 'providers-changed',
      by: { id: viewer.userId, name: viewer.username },
      address: peer,
      subject,
      details,
    })
  }

  mount(app, calls.list, async () => (await store.all()).map(toWire))

  mount(app, calls.create, async ({ body: { id, current_password, bindPassword, ...fields }, ...by }) => {
    checkDirectory(fields)
    if ((await store.all()).length >= MOST_DIRECTORIES) fail('invalid-input', { issues: [`directories: no more than ${MOST_DIRECTORIES}`] })
    if (await directories.isWay(id)) fail('already-exists', { path: id })
    await prove(by, current_password)
    const directory = stored(id, fields, bindPassword ?? '')
    await store.put(directory)
    note(by, { subject: directory.name, details: changesOf(null, directory) })
    return { id }
  })

  mount(app, calls.update, async ({ params: { id }, body: { current_password, bindPassword, ...fields }, ...by }) => {
    const before = await found(id)
    checkDirectory(fields)
    if (before.bindPassword !== '' && bindPassword === undefined && isElsewhere(before, fields))
      fail('secret-needed', { field: 'bindPassword' })
    // Their identities have the same form, and would be those of others.
    if (fields.idAttribute !== before.idAttribute && (await links.ofProvider(id)).length > 0)
      fail('invalid-input', { issues: ['idAttribute: accounts are connected by it; disconnect them first'] })
    await prove(by, current_password)
    const directory = stored(id, fields, bindPassword ?? before.bindPassword)
    if (before.enabled && !directory.enabled) await directories.keepOne(id)
    await store.put(directory)
    note(by, { subject: directory.name, details: changesOf(before, directory) })
    return undefined
  })

  mount(app, calls.remove, async ({ params: { id }, body: { current_password }, ...by }) => {
    const before = await found(id)
    await prove(by, current_password)
    await directories.keepOne(id)
    await removeDirectory(directories, id)
    note(by, { subject: before.name, details: [{ place: 'urls', before: before.urls.join(' '), after: null }] })
    return undefined
  })

  mount(app, calls.try, async ({ params: { id }, body: { username, password }, peer }) => {
    const directory = await found(id)
    const attempts: Attempt[] = []
    const begin = async (account: string): Promise<void> => void attempts.push(await directories.limiter.begin({ address: peer, account }))
    if (username !== undefined && password !== undefined) await begin(`${id} name ${usernameKey(username)}`)
    return directories.trial(directory, {
      username,
      password,
      onFound: (person) => begin(`${id} ${person.id}`),
      onRight: async () => {
        for (const attempt of attempts) await attempt.succeeded()
      },
    })
  })

  mount(app, calls.check, async ({ params: { id } }) => directories.checks.check(await found(id)))

  mount(app, own.connect, async ({ params: { id }, body: { username, password, current_password }, viewer, peer: address }) => {
    const directory = await found(id)
    if (!directory.enabled) fail('not-found', {})
    await directories.requireProof({ viewer, address, password: current_password })
    const attempt = await directories.limiter.begin({ address, account: `${id} name ${usernameKey(username)}` })
    const person = (await directories.signIn.identify(directory, { username, password, address })) ?? fail('wrong-credentials', {})
    await attempt.succeeded()
    const arrival = arrivalOf(directory, person.person, person.groups)
    if (!arrival.isAllowed) fail('directory-refused', { problem: 'not-allowed' })
    await links.add(arrival, { userId: viewer.userId, provider: id })
    await links.mark(arrival, { login: username })
    const account = await users.find(viewer.userId)
    if (account !== null) await directories.trustFactor(account)
    bus.announce('noted', {
      kind: 'user-changed',
      by: { id: viewer.userId, name: viewer.username },
      address,
      subject: viewer.username,
      details: [{ place: 'provider', before: null, after: id }],
    })
    return undefined
  })
}

/** Without fields that the contract does not have. */
function stored(id: string, fields: Omit<DirectoryInput, 'bindPassword'>, bindPassword: string): StoredDirectory {
  return { ...DirectoryFields.parse(fields), id, bindPassword }
}

/** The password is never returned (invariant I15). */
function toWire({ bindPassword, id, lastCheck, ...fields }: CheckedDirectory): Directory {
  return { ...DirectoryFields.parse(fields), id, lastCheck, hasPassword: bindPassword !== '' }
}
