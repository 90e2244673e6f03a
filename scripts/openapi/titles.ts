import type { api } from '../../src/shared/contract/index.ts'

type Titles = { [Area in keyof typeof api]: { title: string; about: string; calls: Record<keyof (typeof api)[Area], string> } }

/** What each area and each call is called in the documentation. A call without a title does not compile. */
export const TITLES: Titles = {
  session: {
    title: 'Sign-in',
    about: 'Sign in and out, and see the devices that are signed in.',
    calls: {
      login: 'Sign in',
      second: 'Complete a sign-in with a second factor',
      secondChallenge: 'Get a challenge for a passkey as second factor',
      passkeyChallenge: 'Get a challenge for a passkey alone',
      passkey: 'Sign in with a passkey',
      signup: 'Create an account of one’s own',
      renew: 'Renew the token',
      logout: 'Sign out',
      list: 'List signed-in devices',
      end: 'Sign out one device',
      everywhere: 'Sign out everywhere',
    },
  },
  factors: {
    title: 'Second factors',
    about: 'Authenticator apps, passkeys, recovery codes, trusted devices, and proving again who one is.',
    calls: {
      list: 'Get one’s second factors',
      startTotp: 'Begin to set up an authenticator app',
      confirmTotp: 'Finish setting up an authenticator app',
      removeTotp: 'Remove the authenticator app',
      renewCodes: 'Make new recovery codes',
      challenge: 'Begin to add a passkey',
      addPasskey: 'Add a passkey',
      renamePasskey: 'Rename a passkey',
      removePasskey: 'Remove a passkey',
      forgetDevice: 'Forget a trusted device',
      proofChallenge: 'Get a challenge for proving who one is',
      prove: 'Prove again who one is',
      removeAll: 'Remove somebody’s second factors',
    },
  },
  tokens: {
    title: 'API tokens',
    about: 'Tokens for programs, with rights, a folder and an end.',
    calls: { list: 'List API tokens', create: 'Make an API token', remove: 'Revoke an API token' },
  },
  users: {
    title: 'Accounts',
    about: 'People, their folders and permissions.',
    calls: {
      list: 'List accounts',
      create: 'Create an account',
      get: 'Get an account',
      welcomed: 'Finish steps of the welcome',
      update: 'Change an account',
      remove: 'Delete an account',
    },
  },
  people: {
    title: 'Many accounts',
    about: 'Lists, changes and new accounts by the hundred.',
    calls: { list: 'Search accounts', change: 'Change accounts', import: 'Create accounts from a list' },
  },
  groups: {
    title: 'Groups',
    about: 'Groups of people, their rights and rules.',
    calls: {
      list: 'List groups',
      create: 'Create a group',
      change: 'Change a group',
      remove: 'Delete a group',
      members: 'List members',
      addMember: 'Add a member',
      removeMember: 'Remove a member',
      ofUser: 'List the groups of an account',
    },
  },
  grants: {
    title: 'Rights on folders',
    about: 'Rights that everybody, a group or an account has on a folder instead of its own.',
    calls: { list: 'List rights on folders', set: 'Set or remove rights on a folder' },
  },
  quotas: {
    title: 'Quotas',
    about: 'Limits of what accounts, groups and everybody may store.',
    calls: { list: 'List quotas', set: 'Set or remove a quota', count: 'Count what a quota holds', mine: 'List the caller’s quotas' },
  },
  explain: {
    title: 'Who reaches what',
    about: 'Who reaches a file or folder, what they may do there, and why.',
    calls: { reach: 'List who reaches a file or folder', effect: 'What a role would change' },
  },
  access: {
    title: 'Access to a folder',
    about: 'Who has which rights on one folder or file, and where they come from.',
    calls: { get: 'List who has access', set: 'Give, change or take away access' },
  },
  settings: {
    title: 'Settings',
    about: 'Settings of the whole installation.',
    calls: { get: 'Get the settings', update: 'Change the settings' },
  },
  resources: {
    title: 'Files and folders',
    about: 'List, upload, save, copy, move and delete.',
    calls: {
      recursive: 'List everything below a folder',
      rows: 'List a folder as columns',
      rowsInParts: 'List a long folder in parts',
      get: 'List a folder, or describe a file',
      upload: 'Upload a file, or create a folder',
      save: 'Save a file',
      remove: 'Delete a file or folder',
      transfer: 'Copy, move or rename',
      usage: 'Get free and used space',
      subtitle: 'Get a subtitle as WebVTT',
    },
  },
  search: {
    title: 'Search',
    about: 'Find files by name, type, size, time and content.',
    calls: { lines: 'Search, results as lines', run: 'Search', documentText: 'Get the text of an office document' },
  },
  raw: { title: 'Downloads', about: 'Download files, folders and selections.', calls: { get: 'Download a file, or an archive' } },
  previews: { title: 'Previews', about: 'Thumbnails and larger previews.', calls: { get: 'Get a preview' } },
  tus: {
    title: 'Resumable uploads',
    about: 'Uploads by the tus protocol 1.0: create, append, resume.',
    calls: {
      options: 'Ask what the server supports',
      create: 'Create an upload',
      offset: 'Get the offset of an upload',
      append: 'Append bytes to an upload',
      unfinished: 'List unfinished uploads',
      cancel: 'Cancel an upload',
    },
  },
  bulk: { title: 'Bulk upload', about: 'Many small files in one request.', calls: { upload: 'Upload several small files' } },
  shares: {
    title: 'Links',
    about: 'Create, change and delete share links.',
    calls: {
      mine: 'List links',
      ofPath: 'List the links to a path',
      create: 'Create a link',
      change: 'Change a link',
      visits: 'List the visits of a link',
      remove: 'Delete a link',
    },
  },
  shared: {
    title: 'Behind a link',
    about: 'What visitors of a link may call.',
    calls: {
      rowsInParts: 'List a long shared folder in parts',
      rows: 'List a shared folder as columns',
      open: 'Open a link',
      download: 'Download from a link',
      preview: 'Get a preview from a link',
      subtitle: 'Get a subtitle from a link',
      rename: 'Rename in a shared folder',
      remove: 'Delete in a shared folder',
    },
  },
  sent: {
    title: 'Uploads through a link',
    about: 'Resumable uploads into a shared folder or a drop box.',
    calls: {
      options: 'Ask what the server supports',
      create: 'Create an upload',
      offset: 'Get the offset of an upload',
      append: 'Append bytes to an upload',
      cancel: 'Cancel an upload',
    },
  },
  command: {
    title: 'Commands',
    about: 'Run commands, and see what hooks did.',
    calls: { socket: 'Run commands over a WebSocket', state: 'Get the state of commands and hooks' },
  },
  live: { title: 'Live updates', about: 'Changes of an open folder.', calls: { folder: 'Follow the changes of a folder' } },
  audit: {
    title: 'Activity',
    about: 'What people did.',
    calls: { list: 'List activity', export: 'Export activity' },
  },
  terminal: { title: 'Terminal', about: 'A terminal in the sandbox.', calls: { socket: 'Open a terminal over a WebSocket' } },
  webhooks: {
    title: 'Webhooks',
    about: 'Tell other services about changes.',
    calls: {
      list: 'List webhooks and their deliveries',
      create: 'Create a webhook',
      update: 'Change a webhook',
      remove: 'Delete a webhook',
      test: 'Send a test event',
    },
  },
  mail: {
    title: 'Mail',
    about: 'The mail server, what was sent, and the addresses of users.',
    calls: {
      get: 'Get the mail server and the latest mails',
      update: 'Change the mail server',
      test: 'Send a test message',
      address: 'Get the address of a user',
      setAddress: 'Change the address of a user',
    },
  },
  passwordLinks: {
    title: 'Password links',
    about: 'Links by which people choose a password or confirm an address.',
    calls: {
      create: 'Create a link for a user',
      ask: 'Ask for a link because a password is forgotten',
      read: 'Tell what a link is for',
      use: 'Choose a password, or confirm an address',
    },
  },
  unpack: {
    title: 'Archives',
    about: 'Look into archives without extracting them.',
    calls: { list: 'List the entries of an archive', entry: 'Get one entry of an archive' },
  },
  jobs: {
    title: 'Jobs',
    about: 'Copies, moves, compression and extraction in the background.',
    calls: { start: 'Start a job', list: 'List jobs', remove: 'Cancel or forget a job' },
  },
  sizes: {
    title: 'Sizes',
    about: 'What fills the disk.',
    calls: { folder: 'Get the size of a folder', largest: 'List the largest files', duplicates: 'Find duplicates' },
  },
  favourites: {
    title: 'Favourites and recent files',
    about: 'The sidebar’s folders, favourites and recent files.',
    calls: {
      mine: 'List favourites and sidebar folders',
      arrange: 'Sort favourites and sidebar folders',
      star: 'Add to favourites',
      unstar: 'Remove from favourites',
      recent: 'List recent files',
      visit: 'Record recent files',
      keep: 'Turn recent files on or off',
      leave: 'Remove one recent file',
      forget: 'Remove all recent files',
    },
  },
  versions: {
    title: 'Versions',
    about: 'Earlier contents of files.',
    calls: {
      content: 'Download a version',
      list: 'List the versions of a file',
      restore: 'Restore a version',
      remove: 'Delete a version',
    },
  },
  snapshots: {
    title: 'Snapshots',
    about: 'Folders as snapshots of the operator’s file system have them, read-only.',
    calls: {
      raw: 'Download from a snapshot',
      entries: 'List a folder in a snapshot',
      list: 'List the snapshots of a folder',
      restore: 'Restore from a snapshot',
    },
  },
  trash: {
    title: 'Trash',
    about: 'What was deleted, and can be restored.',
    calls: {
      list: 'List the trash',
      policy: 'Ask whether a deletion could be undone',
      restore: 'Restore from the trash',
      remove: 'Delete from the trash for good',
      empty: 'Empty the trash',
    },
  },
  operations: {
    title: 'History and undo',
    about: 'What was done, gesture by gesture, and taking it back.',
    calls: {
      list: 'List what was done',
      latest: 'What can be undone and redone next',
      undo: 'Undo a gesture',
      redo: 'Redo what was undone',
    },
  },
  rewind: {
    title: 'Rewind',
    about: 'Bring a folder to where it was at a moment.',
    calls: { preview: 'What a rewind would change', apply: 'Rewind a folder' },
  },
}

/** The title of `area.call`. */
export function titleOf(name: string): string {
  const [area = '', call = ''] = name.split('.')
  const calls: Readonly<Record<string, string>> | undefined = Object.entries(TITLES).find(([key]) => key === area)?.[1].calls
  return calls?.[call] ?? name
}
