import { encodeFilePath, parseFilePath, ROOT } from '../../shared/file-path.ts'
import { type Context, redirect, type Router } from '../http/router.ts'

const DOWNLOADS = ['/public/api/raw', '/public/api/resources/download']
/** What a download there and here is asked with. */
const OPTIONS = ['token', 'inline', 'algo']

/** The addresses that FileBrowser Quantum gave to links lead to ours, because people have them in mails and on pages. */
export function mountQuantumAddresses(app: Router, { baseUrl }: { baseUrl: string }): void {
  app.get('/public/share/*', ({ path }) => redirect(`${baseUrl}${path.slice('/public'.length)}`))
  const download = ({ request }: Context): Response => {
    const asked = new URL(request.url, 'http://localhost').searchParams
    const hash = asked.get('hash') ?? ''
    const [first = '', ...more] = (asked.get('files') ?? asked.get('file') ?? '').split('||')
    const path = more.length === 0 ? parseFilePath(first) : ROOT
    const options = new URLSearchParams()
    for (const name of OPTIONS) if (asked.has(name)) options.set(name, asked.get(name) ?? '')
    if (more.length > 0) options.set('files', [first, ...more].map(encodeURIComponent).join())
    const search = options.size === 0 ? '' : `?${options.toString()}`
    return redirect(`${baseUrl}/api/public/dl/${encodeURIComponent(hash)}${encodeFilePath(path)}${search}`)
  }
  for (const address of DOWNLOADS) app.get(address, download)
}
