import { Database } from 'bun:sqlite'
import pg from 'pg'

/**
 * Loaded before the program: kills it, or lets the statement fail, at the moment that `STOP_AT` names, which is a list of beginnings of SQL, separated by
 * commas and met in this order.
 */
const moments = (process.env['STOP_AT'] ?? '').split(',')
const kills = process.env['STOP_HOW'] === 'kill'

function meet(sql: string): void {
  const [next = ''] = moments
  if (next === '' || !sql.includes(next)) return
  moments.shift()
  if (moments.length > 0) return
  if (kills) process.kill(process.pid, 'SIGKILL')
  throw new Error('a failure of the test')
}

watch(Database.prototype, ([sql]) => sql)
watch(pg.Client.prototype, ([query]) => (typeof query === 'object' && query !== null && 'text' in query ? query.text : query))

function watch(prototype: object, sqlOf: (about: readonly unknown[]) => unknown): void {
  const query: unknown = Reflect.get(prototype, 'query')
  if (typeof query !== 'function') throw new Error('there is no query to watch')
  Reflect.set(prototype, 'query', function watched(this: unknown, ...about: unknown[]): unknown {
    meet(String(sqlOf(about)))
    return Reflect.apply(query, this, about)
  })
}
