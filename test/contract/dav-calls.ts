import { PASSWORD, type Product, type Sender } from './world.ts'

export interface DavRequest {
  readonly as?: string
  /** `:` and a password, or a token. */
  readonly password?: string
  readonly headers?: Record<string, string>
  readonly body?: Bun.BodyInit
  readonly from?: Sender
  /** Where the Drive is served; `/dav` by default. */
  readonly at?: string
}

export function basic(username: string, password: string = PASSWORD): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** A request to `/dav`, or where else it is served, by name and password. */
export async function dav(
  product: Product,
  call: string,
  { as: who = 'ann', password, headers = {}, body, from, at = '/dav' }: DavRequest = {},
): Promise<Response> {
  const [method = '', path = ''] = call.split(/ (.*)/s)
  const init = { method, headers: { authorization: basic(who, password), ...headers }, ...(body !== undefined && { body }) }
  return product.ask(at + path, { ...init, ...(from !== undefined && { from }) })
}

/** The status alone. */
export async function davStatus(product: Product, call: string, options?: DavRequest): Promise<number> {
  return (await dav(product, call, options)).status
}

export function propfindBody(...names: string[]): string {
  return `<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:prop>${names.map((name) => `<D:${name}/>`).join('')}</D:prop></D:propfind>`
}

/** The addresses that a PROPFIND tells. */
export async function hrefsIn(response: Response): Promise<string[]> {
  return Array.from((await response.text()).matchAll(/<D:href>([^<]*)<\/D:href><D:propstat>/g), ([, href = '']) => href)
}

export const LOCK_BODY =
  '<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>Word</D:owner></D:lockinfo>'
export const SHARED_LOCK_BODY = LOCK_BODY.replace('exclusive', 'shared')

/** The token of a new lock, in angle brackets. */
export async function lock(product: Product, path: string, options: DavRequest = {}): Promise<string> {
  const response = await dav(product, `LOCK ${path}`, { body: LOCK_BODY, ...options, headers: { depth: '0', ...options.headers } })
  const token = response.headers.get('lock-token')
  if (token === null) throw new Error(`no lock: ${response.status} ${await response.text()}`)
  return token
}
