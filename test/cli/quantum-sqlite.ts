import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Database } from 'bun:sqlite'

const FILES = { view: true, download: true, modify: true, create: true, delete: true }

/** Writes a database as FileBrowser Quantum 2 does, with three accounts and four links. */
export function quantumSqlite(file: string): { token: string; bytes: Buffer } {
  using db = new Database(file)
  db.run(
    'create table users (user_id text primary key, username text, perm_api integer, perm_admin integer, perm_realtime integer, user_data text)',
  )
  db.run(
    `create table shares (hash text primary key, user_id text, source text, path text, expire integer, downloads integer, password_hash text, token text,
      user_downloads text, share_settings text, version integer)`,
  )
  db.run('create table access_rules (id integer primary key, source text, path text, rule_data text)')
  db.run('create table groups (id integer primary key, name text, members text)')
  const account = (id: string, name: string, isAdmin: boolean, data: object) =>
    db.run('insert into users values (?, ?, 0, ?, 0, ?)', [id, name, Number(isAdmin), JSON.stringify(data)])
  const password = (text: string) => Bun.password.hashSync(text, { algorithm: 'bcrypt', cost: 4 })
  const scope = (name: string, permissions: object) => [
    { path: '/srv/data', scope: `/${name}`, permissions },
    { path: '/srv/other', scope: '/' },
  ]
  // Ids are random; the first has that of an account of version 1.
  account('1', 'user-0001', true, {
    password: password('password-1'),
    loginMethod: 'password',
    backendScopes: scope('user-0001', FILES),
    share: true,
    profile: { listing: { viewMode: 'gallery', showHidden: true }, ui: { locale: 'en' }, account: { lockPassword: false } },
    settings: { sorting: { by: 'name', asc: false } },
  })
  // As versions before 2.0 wrote it.
  account('17293822569102704641', 'user-0002', false, {
    password: password('password-2'),
    loginMethod: 'password',
    scopes: [{ name: '/srv/data', scope: '/user-0002' }],
    settings: { locale: 'fr', sorting: { by: 'size', asc: true } },
    filePermissions: { modify: false, share: false, delete: true, create: true, download: true },
  })
  account('9223372036854775809', 'user-0003', false, {
    password: password('user-0003'),
    loginMethod: 'ldap',
    backendScopes: scope('user-0003', { view: false, download: false, modify: false, create: false, delete: false, configured: true }),
    profile: {},
  })
  const token = createHash('sha256').update('token').digest('base64url') + '.' + createHash('sha256').update('seal').digest('base64url')
  const share = (hash: string, path: string, settings: object, protection: [string, string] = ['', '']) =>
    db.run('insert into shares values (?, ?, ?, ?, 0, 0, ?, ?, null, ?, 1)', [
      hash,
      '1',
      '/srv/data',
      path,
      ...protection,
      JSON.stringify(settings),
    ])
  share('folder', '/user-0001/docs/', { shareType: 'normal', title: 'For you', allowCreate: true, allowModify: true, allowDelete: true })
  share('file', '/user-0001/docs/file 2.txt/', { shareType: 'normal' }, [password('secret of a link'), token])
  share('box', '/user-0001/docs/', { shareType: 'upload', allowCreate: true })
  share('people', '/user-0001/docs/', { shareType: 'normal', disableAnonymous: true })
  db.run('insert into groups (name, members) values (?, ?)', ['editors', JSON.stringify(['user-0002'])])
  db.close()
  return { token, bytes: readFileSync(file) }
}
