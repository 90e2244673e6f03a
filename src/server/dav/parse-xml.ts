import { SaxesParser, type SaxesAttributeNS } from 'saxes'
import { fail } from '../../shared/errors.ts'
import { DAV, escapeXml, type XmlName } from './xml.ts'

export interface XmlElement extends XmlName {
  readonly attributes: readonly XmlAttribute[]
  readonly children: readonly (XmlElement | string)[]
}

interface XmlAttribute extends XmlName {
  readonly value: string
}

/** No client nests or names nearly as much. */
const MAX_DEPTH = 40
const MAX_ELEMENTS = 5000
/** Of a namespace: it is written again for each element. */
const MAX_NAMESPACE_CHARS = 1000
const MAX_ATTRIBUTES = 100

const XML = 'http://www.w3.org/XML/1998/namespace'
const XMLNS = 'http://www.w3.org/2000/xmlns/'

/**
 * The root element of a document. Fails with `invalid-input` if it is not well-formed, has a document type (so there are no entities but XML's own), is
 * nested deeper than forty elements, has more than five thousand, or names longer namespaces or more attributes than any client.
 */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: false })
  const open: (Omit<XmlElement, 'children'> & { children: (XmlElement | string)[] })[] = []
  let root: XmlElement | null = null
  let count = 0

  const addText = (part: string): void => void open.at(-1)?.children.push(part)
  parser.on('error', (error) => refuse(error.message))
  parser.on('doctype', () => refuse('document types are not accepted'))
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (open.length >= MAX_DEPTH) refuse('nested too deeply')
    if (++count > MAX_ELEMENTS) refuse('too many elements')
    if (uri.length > MAX_NAMESPACE_CHARS) refuse('a namespace is too long')
    // A prefix of XML's own cannot be declared as another one.
    if (uri === XML) refuse('an element of the namespace of XML itself')
    if (Object.keys(attributes).length > MAX_ATTRIBUTES) refuse('too many attributes')
    const element = { namespace: uri, name: local, attributes: Object.values(attributes).flatMap(attributeFrom), children: [] }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  return root ?? refuse('no element')
}

function attributeFrom({ uri, local, value }: SaxesAttributeNS): XmlAttribute[] {
  if (uri.length > MAX_NAMESPACE_CHARS) refuse('a namespace is too long')
  return uri === XMLNS ? [] : [{ namespace: uri, name: local, value }]
}

function refuse(problem: string): never {
  return fail('invalid-input', { issues: [`body: ${problem}`] })
}

export function elementsOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string')
}

export function isDav(element: XmlName, name: string): boolean {
  return element.namespace === DAV && element.name === name
}

/** The first child of this name in the namespace of DAV. */
export function davChild(element: XmlElement, name: string): XmlElement | null {
  return elementsOf(element).find((child) => isDav(child, name)) ?? null
}

/** The language that is declared for what is in an element. */
export function languageOf({ attributes }: XmlElement): string | null {
  return attributes.find(({ namespace, name }) => namespace === XML && name === 'lang')?.value ?? null
}

/** An element as text that means the same wherever it stands. @param language that it is in, unless it says so itself */
export function serializeXml(element: XmlElement, { language = null }: { language?: string | null } = {}): string {
  const more = language === null || languageOf(element) !== null ? '' : ` xml:lang="${escapeXml(language)}"`
  return written(element, null, more)
}

/** @param outer the namespace that is declared around it; null if that is unknown */
function written({ namespace, name, attributes, children }: XmlElement, outer: string | null, more = ''): string {
  const declared = namespace === outer ? '' : ` xmlns="${escapeXml(namespace)}"`
  const said = attributes.map((attribute, i) => attributeText(attribute, `a${i}`)).join('')
  const inside = children.map((child) => (typeof child === 'string' ? escapeXml(child) : written(child, namespace))).join('')
  return inside === '' ? `<${name}${declared}${said}${more}/>` : `<${name}${declared}${said}${more}>${inside}</${name}>`
}

function attributeText({ namespace, name, value }: XmlAttribute, prefix: string): string {
  const text = `"${escapeXml(value).replace(/[\t\n]/g, (char) => `&#${char.charCodeAt(0)};`)}"`
  if (namespace === '') return ` ${name}=${text}`
  if (namespace === XML) return ` xml:${name}=${text}`
  return ` xmlns:${prefix}="${escapeXml(namespace)}" ${prefix}:${name}=${text}`
}
