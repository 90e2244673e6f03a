import { realpath, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fail } from '../../shared/errors.ts'
import type { Router } from './router.ts'
import { fileOf, type WebFile, webFiles } from './web-files.ts'

export interface StaticDeps {
  /** Where the build put the web application. */
  readonly webDir: string
  /** The operator's branding folder (pictures, stylesheet); null if there is none. */
  readonly brandingDir: () => Promise<string | null>
}

interface StaticFile {
  readonly file: WebFile
  readonly type: string
  readonly cacheControl: string
  /** Compressed copies, the preferred one first. */
  readonly encoded: readonly { readonly encoding: Encoding; readonly file: WebFile }[]
}

type Encoding = keyof typeof SUFFIX

const SUFFIX = { br: '.br', gzip: '.gz' } as const
const A_DAY = 'public, max-age=86400'
/** Folders of the build that are served. */
const FOLDERS = /^(assets|img)\//
const API_DOCUMENT = '/api/openapi.json'
/** Names under `assets/` contain a hash of their content. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** For a script that runs as a worker, this is the worker's own policy. */
const CODE = "default-src 'self'"
/** A picture that is opened by itself is a document: scripts of an SVG do not run (invariant I11). */
const DOCUMENT = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const PICTURES: Record<string, string> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

const TYPES: Record<string, string> = {
  ...PICTURES,
  '.bcmap': 'application/octet-stream',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** `/static/*`: the build, overridden by the operator's own pictures and stylesheet. */
export function mountStatic(app: Router, { webDir, brandingDir }: StaticDeps): void {
  const built = builtFiles(webDir)
  app.get('/static/*', async (c) => {
    const name = nameOf(c.path)
    const file = (isBranded(name) ? await brandedFile(await brandingDir(), name) : null) ?? built.get(name)
    return file === undefined ? fail('not-found', {}) : send(c.request, file)
  })
  app.all('/static/*', () => fail('not-found', {}))
}

/** `/api/openapi.json`: the calls of this version, written by the build (scripts/build.mjs). The same for everybody. */
export function mountApiDocument(app: Router, webDir: string): void {
  const document = builtFiles(webDir, /^api\//).get('api/openapi.json')
  app.get(API_DOCUMENT, (c) => (document === undefined ? fail('not-found', {}) : send(c.request, document)))
  app.all(API_DOCUMENT, () => fail('method-not-allowed', { allow: ['GET', 'HEAD'] }))
}

/** Decoded once; a name that is malformed or leads out of the folder is unknown. */
function nameOf(path: string): string {
  try {
    const name = decodeURIComponent(path.slice('/static/'.length))
    const isPlain = name.split('/').every((segment) => segment !== '' && !segment.startsWith('.'))
    return isPlain && !/[\0\\]/.test(name) ? name : fail('not-found', {})
  } catch (error) {
    return fail('not-found', {}, { cause: error })
  }
}

async function send(request: Request, { file, type, cacheControl, encoded }: StaticFile): Promise<Response> {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const copy = encoded.find(({ encoding }) => new RegExp(`(^|[\\s,])${encoding}(?![\\w-]|\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted))
  const etag = `"${file.size.toString(36)}-${Math.floor(file.modified).toString(36)}${copy === undefined ? '' : `-${copy.encoding}`}"`
  const headers = new Headers({
    'cache-control': cacheControl,
    'content-type': type,
    etag,
    'x-content-type-options': 'nosniff',
    ...(encoded.length > 0 && { vary: 'accept-encoding' }),
    'content-security-policy': /^text\/(css|javascript)/.test(type) ? CODE : DOCUMENT,
  })
  if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  if (copy !== undefined) headers.set('content-encoding', copy.encoding)
  // A new version may replace the files of a running server.
  const bytes = (await (copy?.file ?? file).read()) ?? fail('not-found', {})
  if (request.method !== 'HEAD') return new Response(bytes, { headers })
  headers.set('content-length', String(bytes.length))
  return new Response(null, { headers })
}

/** Every file of the build by its name; nothing else can be requested. The page and the service worker are served elsewhere. */
function builtFiles(webDir: string, folders = FOLDERS): ReadonlyMap<string, StaticFile> {
  const all = webFiles(webDir)
  const served = [...all].filter(([name]) => folders.test(name) && extname(name) in TYPES)
  return new Map(
    served.map(([name, file]) => {
      const encoded = (['br', 'gzip'] as const).flatMap((encoding) => {
        const copy = all.get(name + SUFFIX[encoding])
        return copy === undefined ? [] : [{ encoding, file: copy }]
      })
      return [name, { file, type: TYPES[extname(name)] ?? '', cacheControl: name.startsWith('assets/') ? FOR_EVER : A_DAY, encoded }]
    }),
  )
}

function isBranded(name: string): boolean {
  return name === 'custom.css' || (name.startsWith('img/') && extname(name).toLowerCase() in PICTURES)
}

/** Whether the branding folder has a picture of that name. */
export async function isBrandedFile(folder: string | null, name: string): Promise<boolean> {
  return isBranded(name) && (await brandedFile(folder, name)) !== null
}

/** The operator's file of that name, unless it is outside the folder. */
async function brandedFile(folder: string | null, name: string): Promise<StaticFile | null> {
  if (folder === null || folder === '') return null
  try {
    const [home, path] = await Promise.all([realpath(folder), realpath(join(folder, name))])
    const found = await stat(path)
    if (!found.isFile() || !path.startsWith(`${home}/`)) return null
    const type = TYPES[extname(name).toLowerCase()] ?? ''
    // A changed stylesheet takes effect at the next page.
    const cacheControl = name === 'custom.css' ? 'public, no-cache' : A_DAY
    return { file: fileOf(path, found), type, cacheControl, encoded: [] }
  } catch {
    // Missing or unreadable: the built file is served.
    return null
  }
}
