import * as z from 'zod/mini'
import { fail } from '../../shared/errors.ts'
import { escapeXml, XML_HEAD } from '../dav/xml.ts'
import { readText } from '../http/mount.ts'

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json }

/** What a call of the Open Collaboration Services answers. */
export interface OcsAnswer {
  /** As version 2 of the API says it: an HTTP status. */
  readonly status: number
  readonly message?: string
  readonly data?: object
}

/** An answer in JSON if the client asks for that, otherwise in XML. Version 1 says 100 for success, and 200 in HTTP where the call itself was understood. */
export function ocsResponse(request: Request, version: 1 | 2, { status, message = 'OK', data = [] }: OcsAnswer): Response {
  const isFine = status < 400
  const statuscode = version === 1 && isFine ? 100 : status === 401 ? 997 : status
  const meta = { status: isFine ? 'ok' : 'failure', statuscode, message, totalitems: '', itemsperpage: '' }
  const http = version === 2 || status === 401 ? status : 200
  if (wantsJson(request)) return Response.json({ ocs: { meta, data } }, { status: http })
  const body = `${XML_HEAD}<ocs>${elements('meta', meta)}${elements('data', data)}</ocs>\n`
  return new Response(body, { status: http, headers: { 'content-type': 'application/xml; charset=utf-8' } })
}

function wantsJson({ url, headers }: Request): boolean {
  const format = URL.parse(url)?.searchParams.get('format')
  return format === 'json' || (format !== 'xml' && (headers.get('accept') ?? '').includes('application/json'))
}

function elements(name: string, value: unknown): string {
  return `<${name}>${contentOf(value as Json)}</${name}>`
}

function contentOf(value: Json): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? '1' : ''
  if (Array.isArray(value)) return value.map((one: Json) => elements('element', one)).join('')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => elements(key, one))
      .join('')
  return escapeXml(String(value))
}

const MAX_FORM_BYTES = 64 * 1024
const JsonForm = z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()])))

/** What a client asks with: parameters of the address, and before them those of the body, a form or JSON. */
export async function ocsForm(request: Request): Promise<{ get(name: string): string | null }> {
  const query = URL.parse(request.url)?.searchParams ?? new URLSearchParams()
  const text = request.method === 'GET' ? '' : await readText(request, MAX_FORM_BYTES)
  const body = (request.headers.get('content-type') ?? '').includes('json') ? jsonForm(text) : new URLSearchParams(text)
  return { get: (name) => body.get(name) ?? query.get(name) }
}

function jsonForm(text: string): URLSearchParams {
  try {
    const parsed = JsonForm.parse(JSON.parse(text))
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(parsed)) if (value !== null) form.set(name, String(value))
    return form
  } catch {
    return fail('invalid-input', { issues: ['body: not an object of JSON'] })
  }
}
