import type { Directory, DirectoryInput, ID_ATTRIBUTES } from '../../../../shared/contract/directories.ts'

type Lists = 'urls' | 'allow' | 'admin' | 'groups'

/** A directory as its form holds it: lists are texts with a line for each part. */
export interface DirectoryForm extends Omit<Directory, Lists | 'id' | 'hasPassword' | 'lastCheck' | 'checkMinutes'> {
  readonly urls: string
  readonly allow: string
  readonly admin: string
  /** The names of groups that make members, by the id of the group here. */
  readonly members: Readonly<Record<string, string>>
  readonly checkMinutes: string
  /** Empty keeps a stored one. */
  readonly bindPassword: string
}

type Preset = Partial<DirectoryForm> & { readonly idAttribute: (typeof ID_ATTRIBUTES)[number] }

/** What differs from one kind of directory to the next. */
export const KINDS = ['OpenLDAP', 'Active Directory', 'FreeIPA, 389 Directory Server', 'LLDAP'] as const
export type Kind = (typeof KINDS)[number]

const PRESETS: Readonly<Record<Kind, Preset>> = {
  OpenLDAP: {
    userFilter: '(&(objectClass=inetOrgPerson)(uid={login}))',
    idAttribute: 'entryUUID',
    usernameAttribute: 'uid',
    groupWay: 'member',
    groupFilter: '(objectClass=groupOfNames)',
    memberAttribute: 'member',
  },
  'Active Directory': {
    userFilter: '(&(objectCategory=person)(objectClass=user)(|(sAMAccountName={login})(userPrincipalName={login})))',
    idAttribute: 'objectGUID',
    usernameAttribute: 'sAMAccountName',
    groupWay: 'chain',
    groupFilter: '(objectClass=group)',
    memberAttribute: 'member',
  },
  'FreeIPA, 389 Directory Server': {
    userFilter: '(&(objectClass=person)(uid={login}))',
    idAttribute: 'ipaUniqueID',
    usernameAttribute: 'uid',
    groupWay: 'memberOf',
    groupFilter: '',
    memberAttribute: 'member',
  },
  LLDAP: {
    userFilter: '(&(objectClass=person)(uid={login}))',
    idAttribute: 'entryUUID',
    usernameAttribute: 'uid',
    groupWay: 'member',
    groupFilter: '(objectClass=groupOfUniqueNames)',
    memberAttribute: 'member',
  },
}

/** The form with what is usual for a kind of directory. */
export function withKind(form: DirectoryForm, kind: Kind): DirectoryForm {
  return { ...form, ...PRESETS[kind] }
}

export function formFrom(directory: Directory | null): DirectoryForm {
  const lines = (values: readonly string[] = []): string => values.join('\n')
  const common = {
    urls: lines(directory?.urls),
    allow: lines(directory?.allow),
    admin: lines(directory?.admin),
    members: Object.fromEntries((directory?.groups ?? []).map(({ group, values }) => [group, lines(values)])),
    checkMinutes: String(directory?.checkMinutes ?? 60),
    bindPassword: '',
  }
  if (directory === null) return { ...EMPTY, ...PRESETS.OpenLDAP, ...common }
  const { id: _id, hasPassword: _has, lastCheck: _last, groups: _groups, ...kept } = directory
  return { ...kept, ...common }
}

const EMPTY: Omit<DirectoryForm, 'urls' | 'allow' | 'admin' | 'members' | 'checkMinutes' | 'bindPassword'> = {
  name: '',
  enabled: true,
  startTls: false,
  plaintext: false,
  ca: '',
  bindDn: '',
  bindPattern: '',
  baseDn: '',
  userFilter: '',
  idAttribute: 'entryUUID',
  usernameAttribute: 'uid',
  mailAttribute: 'mail',
  groupWay: 'member',
  groupBaseDn: '',
  groupFilter: '',
  memberAttribute: 'member',
  nested: true,
  create: true,
}

/** What the server gets. An empty password is left out, so that the stored one stays. */
export function inputFrom({ bindPassword, members, checkMinutes, ...form }: DirectoryForm): DirectoryInput {
  return {
    ...form,
    name: form.name.trim(),
    baseDn: form.baseDn.trim(),
    bindDn: form.bindDn.trim(),
    bindPattern: form.bindPattern.trim(),
    groupBaseDn: form.groupBaseDn.trim(),
    urls: linesOf(form.urls),
    allow: linesOf(form.allow),
    admin: linesOf(form.admin),
    groups: Object.entries(members).flatMap(([group, text]) => {
      const values = linesOf(text)
      return values.length === 0 ? [] : [{ group: Number(group), values }]
    }),
    checkMinutes: Math.min(1440, Math.max(0, Math.trunc(Number(checkMinutes)) || 0)),
    ...(bindPassword !== '' && { bindPassword }),
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
