/** The location of the database from the setting: a file, or `postgres://…`. */
export function databaseLocationOf(database: string): { readonly file: string } | { readonly url: string } {
  return isPostgres(database) ? { url: database } : { file: database }
}

export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:\/\//i.test(database)
}

/** For display: an address without its password and query, which may contain one too. */
export function shownDatabase(database: string): string {
  if (!isPostgres(database)) return database
  if (!URL.canParse(database)) return 'postgres://(hidden)'
  const { protocol, username, host, pathname } = new URL(database)
  // A password with an unescaped slash: the rest looks like a path.
  if (pathname.includes('@')) return 'postgres://(hidden)'
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

export function hasPassword(url: string): boolean {
  const { password, searchParams } = new URL(url)
  return password !== '' || searchParams.has('password')
}
