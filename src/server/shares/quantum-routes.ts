import type { Hono } from 'hono'
import { encodeFilePath, parseFilePath, ROOT } from '../../shared/file-path.ts'
import type { Env } from '../http/mount.ts'

const DOWNLOADS = ['/public/api/raw', '/public/api/resources/download']
/** What a download there and here is asked with. */
const OPTIONS = ['token', 'inline', 'algo']

/** The addresses that FileBrowser Quantum gave to links lead to ours, because people have them in mails and on pages. */
export function mountQuantumAddresses(app: Hono<Env>, { baseUrl }: { baseUrl: string }): void {
  app.get('/public/share/*', (c) => c.redirect(`${baseUrl}${c.req.path.slice('/public'.length)}`))
  app.on('GET', DOWNLOADS, (c) => {
    const { hash = '', ...query } = c.req.query()
    const [first = '', ...more] = (query.files ?? query.file ?? '').split('||')
    const path = more.length === 0 ? parseFilePath(first) : ROOT
    const options = new URLSearchParams()
    for (const name of OPTIONS) if (query[name] !== undefined) options.set(name, query[name])
    if (more.length > 0) options.set('files', [first, ...more].map(encodeURIComponent).join())
    const search = options.size === 0 ? '' : `?${options.toString()}`
    return c.redirect(`${baseUrl}/api/public/dl/${encodeURIComponent(hash)}${encodeFilePath(path)}${search}`)
  })
}
