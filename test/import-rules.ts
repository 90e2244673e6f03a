/** What the files of a folder may import besides their own folder. */
export interface ImportRule {
  readonly imports: readonly string[]
  /** For the table in docs/architecture.md. */
  readonly note?: string
}

/**
 * Each folder of `src`; one that is not here is an error. `server` and `web/app` are the two roots; files directly in `web` belong to its root.
 * The table in docs/architecture.md is printed from this (`npm run imports`), and test/architecture.test.ts holds the code to it.
 */
export const IMPORT_RULES: Readonly<Record<string, ImportRule>> = {
  shared: { imports: [], note: 'pure' },
  'server/entries': { imports: [] },
  'server/threads': { imports: [] },
  'server/storage': { imports: ['shared', 'server/entries', 'server/threads'] },
  'server/db': { imports: ['shared'] },
  'server/backup': { imports: ['shared', 'server/db'] },
  'server/bus': { imports: ['shared', 'server/db'] },
  'server/access': { imports: ['shared'], note: 'pure' },
  'server/drive': { imports: ['shared', 'server/access', 'server/storage'], note: 'the only way to file content' },
  'server/http': { imports: ['shared', 'server/access'] },
  'server/config': { imports: ['shared'] },
  'server/settings': { imports: ['shared', 'server/db', 'server/bus', 'server/access', 'server/http'] },
  'server/users': { imports: ['shared', 'server/db', 'server/bus', 'server/access', 'server/http', 'server/settings'] },
  'server/groups': {
    imports: ['shared', 'server/access', 'server/drive', 'server/http', 'server/db', 'server/bus', 'server/settings', 'server/users'],
  },
  'server/quotas': {
    imports: ['shared', 'server/access', 'server/storage', 'server/drive', 'server/http', 'server/db', 'server/bus'],
    note: 'sizes read from storage; no file content',
  },
  'server/factors': { imports: ['shared', 'server/db', 'server/bus', 'server/access', 'server/http', 'server/settings', 'server/users'] },
  'server/sessions': {
    imports: ['shared', 'server/db', 'server/bus', 'server/access', 'server/http', 'server/settings', 'server/users', 'server/factors'],
  },
  'server/tokens': {
    imports: ['shared', 'server/db', 'server/bus', 'server/access', 'server/drive', 'server/http', 'server/settings', 'server/users'],
  },
  'server/archives': {
    imports: ['shared', 'server/entries', 'server/threads', 'server/access', 'server/drive', 'server/http', 'server/db'],
  },
  'server/files': {
    imports: ['shared', 'server/entries', 'server/threads', 'server/access', 'server/drive', 'server/http', 'server/archives'],
  },
  'server/uploads': { imports: ['shared', 'server/access', 'server/drive', 'server/http', 'server/db'] },
  'server/index': {
    imports: ['shared', 'server/entries', 'server/threads', 'server/storage', 'server/bus'],
    note: 'names and times read from storage; no file content',
  },
  'server/sandbox': { imports: ['shared'] },
  'server/search': {
    imports: [
      'shared',
      'server/entries',
      'server/threads',
      'server/access',
      'server/drive',
      'server/http',
      'server/index',
      'server/sandbox',
    ],
  },
  'server/sizes': { imports: ['shared', 'server/access', 'server/drive', 'server/http', 'server/index'] },
  'server/live': { imports: ['shared', 'server/access', 'server/drive', 'server/http', 'server/bus'] },
  'server/journal': {
    imports: ['shared', 'server/storage', 'server/drive', 'server/db', 'server/settings'],
    note: 'asks the storage what is at a path; no file content',
  },
  'server/jobs': { imports: ['shared', 'server/db'] },
  'server/webhooks': {
    imports: [
      'shared',
      'server/access',
      'server/drive',
      'server/http',
      'server/db',
      'server/bus',
      'server/jobs',
      'server/journal',
      'server/settings',
    ],
  },
  'server/mail': {
    imports: ['shared', 'server/access', 'server/http', 'server/db', 'server/bus', 'server/settings', 'server/users', 'server/jobs'],
  },
  'server/password-links': {
    imports: [
      'shared',
      'server/access',
      'server/http',
      'server/db',
      'server/bus',
      'server/settings',
      'server/users',
      'server/sessions',
      'server/jobs',
      'server/mail',
    ],
  },
  'server/people': {
    imports: [
      'shared',
      'server/access',
      'server/http',
      'server/db',
      'server/bus',
      'server/settings',
      'server/users',
      'server/groups',
      'server/mail',
      'server/password-links',
    ],
  },
  'server/commands': {
    imports: ['shared', 'server/access', 'server/drive', 'server/http', 'server/settings', 'server/users', 'server/jobs', 'server/sandbox'],
  },
  'server/programs': { imports: ['shared', 'server/entries', 'server/sandbox'] },
  'server/unpack': {
    imports: [
      'shared',
      'server/entries',
      'server/access',
      'server/drive',
      'server/http',
      'server/archives',
      'server/programs',
      'server/sandbox',
    ],
  },
  'server/user-jobs': {
    imports: ['shared', 'server/access', 'server/drive', 'server/http', 'server/archives', 'server/jobs', 'server/unpack'],
  },
  'server/trash': {
    imports: [
      'shared',
      'server/access',
      'server/storage',
      'server/drive',
      'server/http',
      'server/db',
      'server/bus',
      'server/journal',
      'server/settings',
      'server/user-jobs',
    ],
    note: 'what is kept in storage, in the order of a Drive; no file content',
  },
  'server/snapshots': {
    imports: [
      'shared',
      'server/access',
      'server/storage',
      'server/drive',
      'server/http',
      'server/archives',
      'server/files',
      'server/user-jobs',
    ],
    note: 'opens storages of snapshots, each for a Drive; no file content by itself',
  },
  'server/outside': {
    imports: ['shared', 'server/drive', 'server/db', 'server/bus', 'server/journal', 'server/settings'],
    note: 'what the index found and the journal does not know',
  },
  'server/undo': {
    imports: [
      'shared',
      'server/access',
      'server/drive',
      'server/http',
      'server/db',
      'server/journal',
      'server/outside',
      'server/settings',
      'server/trash',
      'server/user-jobs',
    ],
  },
  'server/versions': {
    imports: [
      'shared',
      'server/access',
      'server/storage',
      'server/drive',
      'server/http',
      'server/db',
      'server/bus',
      'server/files',
      'server/journal',
      'server/settings',
      'server/snapshots',
    ],
    note: 'what is kept in storage, in the order of a Drive; no file content',
  },
  'server/previews': {
    imports: ['shared', 'server/entries', 'server/access', 'server/drive', 'server/http', 'server/programs', 'server/sandbox'],
  },
  'server/shares': {
    imports: [
      'shared',
      'server/access',
      'server/drive',
      'server/http',
      'server/db',
      'server/bus',
      'server/settings',
      'server/users',
      'server/archives',
      'server/files',
      'server/uploads',
    ],
  },
  'server/explain': {
    imports: ['shared', 'server/access', 'server/drive', 'server/http', 'server/settings', 'server/users', 'server/shares'],
    note: 'who reaches a node, from the access that decides',
  },
  'server/favourites': { imports: ['shared', 'server/access', 'server/drive', 'server/http', 'server/db'] },
  'server/audit': { imports: ['shared', 'server/access', 'server/http', 'server/db', 'server/bus'] },
  'server/metrics': { imports: ['shared', 'server/http', 'server/db'] },
  'server/cli': {
    imports: [
      'shared',
      'server/groups',
      'server/access',
      'server/config',
      'server/backup',
      'server/db',
      'server/bus',
      'server/drive',
      'server/settings',
      'server/shares',
      'server/users',
      'server/factors',
      'server/tokens',
      'server/audit',
      'server/webhooks',
    ],
  },
  server: { imports: ['shared', 'server/*'], note: 'main, config, compose, world, app' },
  'web/ui': { imports: [] },
  'web/router': { imports: [] },
  'web/i18n': { imports: ['shared'] },
  'web/data': { imports: ['shared', 'web/router'] },
  'web/widgets': { imports: ['shared', 'web/ui', 'web/i18n'] },
  'web/screens/*': { imports: ['shared', 'web/router', 'web/data', 'web/i18n', 'web/ui', 'web/widgets'], note: 'never another screen' },
  'web/app': { imports: ['shared', 'web/*'] },
  web: { imports: ['shared', 'web/*'] },
}
