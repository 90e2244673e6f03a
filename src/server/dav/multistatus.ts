import { STATUS_CODES } from 'node:http'
import { emptyElement, escapeXml, XML_HEAD, type XmlName } from './xml.ts'

export const MULTISTATUS_HEAD = `${XML_HEAD}<D:multistatus xmlns:D="DAV:">`
export const MULTISTATUS_FOOT = '</D:multistatus>\n'
export const XML_TYPE = 'application/xml; charset=utf-8'

/** Properties of one resource that share a status. */
export interface PropStatus {
  readonly status: number
  /** Elements as text. */
  readonly properties: readonly string[]
  /** Of `D:error`. */
  readonly error?: string
}

export function responseElement(href: string, parts: readonly PropStatus[]): string {
  const all = parts.filter(({ properties }) => properties.length > 0).map(propStat)
  return `<D:response><D:href>${escapeXml(href)}</D:href>${all.length === 0 ? propStat({ status: 200, properties: [] }) : all.join('')}</D:response>\n`
}

function propStat({ status, properties, error }: PropStatus): string {
  const why = error === undefined ? '' : `<D:error>${error}</D:error>`
  return `<D:propstat><D:prop>${properties.join('')}</D:prop><D:status>${statusLine(status)}</D:status>${why}</D:propstat>`
}

function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`
}

/** @param restyle how a dialect writes XML */
export function multistatus(responses: string, restyle: (xml: string) => string = (xml) => xml): Response {
  return new Response(restyle(MULTISTATUS_HEAD + responses + MULTISTATUS_FOOT), { status: 207, headers: { 'content-type': XML_TYPE } })
}

/** A precondition of RFC 4918, section 16. @param inside more of it, as XML */
export function conditionResponse(status: number, condition: string, inside = ''): Response {
  const element = inside === '' ? `<D:${condition}/>` : `<D:${condition}>${inside}</D:${condition}>`
  return new Response(`${XML_HEAD}<D:error xmlns:D="DAV:">${element}</D:error>\n`, { status, headers: { 'content-type': XML_TYPE } })
}

export function emptyElements(names: readonly XmlName[]): string[] {
  return names.map(emptyElement)
}
