import { describe, expect, it } from 'bun:test'
import { questionOf, readLogLine, shownTarget } from './requests.ts'

describe('requests of a log', () => {
  it('are read from the formats of nginx, Caddy, Traefik and Satchel', () => {
    for (const line of [
      '192.0.2.1 - ann [24/Nov/2026:15:00:00 +0000] "GET /api/usage/a?b HTTP/1.1" 200 12 "-" "curl"',
      '{"level":"info","request":{"method":"GET","uri":"/api/usage/a?b","headers":{"Cookie":["secret"]}}}',
      '{"RequestMethod":"GET","RequestPath":"/api/usage/a?b"}',
      '{"method":"GET","path":"/api/usage/a?b"}',
    ])
      expect(readLogLine(line)).toEqual({ method: 'GET', target: '/api/usage/a?b', range: null })
    for (const line of ['', 'anything', '{ broken', '{"method":"GET"}']) expect(readLogLine(line)).toBeNull()
  })

  it('are asked only if they read, whatever their method says', () => {
    const ask = (method: string, target: string) => questionOf({ method, target, range: null }, '/files')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect(ask(method, '/files/api/resources/a')).toBe('changes something')
    // File Browser does not look at the method of these.
    for (const call of ['login', 'renew', 'signup', 'command/', 'tus/a', 'resourcesfoo'])
      expect(ask('GET', `/files/api/${call}`)).toBe('not a call that reads')
    expect(ask('GET', '/api/resources/a')).toBe('another base URL')
    expect(ask('GET', '/files/api/public/dl/Ab3xYz12?token=x')).toMatchObject({ target: '/api/public/dl/Ab3xYz12?token=x', isPublic: true })
  })

  it('are not asked where a path leads up, in whatever spelling, because both servers would be asked for something else', () => {
    const ask = (target: string) => questionOf({ method: 'GET', target, range: null }, '')
    for (const target of [
      '/api/resources/../../admin/delete?all=1',
      '/api/raw/%2e%2e/%2E%2e/evil',
      '/api/public/dl/x/..\\..\\..\\..\\api\\renew',
      '/api/raw/.\t./.\n./renew',
    ])
      expect([target, ask(target)]).toEqual([target, 'not a call that reads'])
    expect(ask('/api/raw/a/../b.txt')).toMatchObject({ target: '/api/raw/b.txt' })
    expect(ask('//other/api/raw/a')).toBe('not a call that reads')
    expect(ask('/api/raw/a?%61uth=secret&to%6ben=secret')).toMatchObject({ target: '/api/raw/a?token=secret' })
  })

  it('are never asked with a session of the person, and links are shown without their token', () => {
    const question = questionOf({ method: 'GET', target: '/api/raw/a.txt?auth=a.b.c&inline=true', range: null }, '')
    expect(question).toMatchObject({ target: '/api/raw/a.txt?inline=true', comparesBodies: true })
    expect(shownTarget('/api/public/dl/Ab3xYz12?inline=true&token=secret&algo=zip')).toBe(
      '/api/public/dl/Ab3xYz12?inline=true&token=…&algo=zip',
    )
  })
})
