import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { type Element, element, elementsIn, integer, partsOf, sequence, text } from './ber.ts'

export interface Entry {
  readonly dn: string
  readonly attributes: Readonly<Record<string, readonly (string | Buffer)[]>>
  readonly password?: string
  /** Other names that are bound as this entry: `name@domain`, `DOMAIN\name`. */
  readonly alsoKnownAs?: readonly string[]
  /** What a bind with the right password says instead of succeeding, as Active Directory does: `533`. */
  readonly bindCode?: string
}

export interface StandInOptions {
  readonly entries?: readonly Entry[]
  /** Certificate and key in PEM: then it speaks TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Sent behind the entries of every search. */
  readonly references?: readonly string[]
  /** Accepts a connection, and then says nothing: from the beginning, or from a search on. */
  readonly silent?: 'always' | 'search'
  /** Takes over what a connection says. */
  readonly speak?: (socket: Socket, bytes: Buffer) => void
  /** Whether an empty password succeeds for every name (RFC 4513 §5.1.2), and one that begins with NUL. */
  readonly anonymous?: boolean
}

export interface StandIn extends AsyncDisposable {
  readonly port: number
  /** Names and passwords of every bind. */
  readonly binds: { dn: string; password: string }[]
  /** The filters of every search, in words. */
  readonly searches: string[]
  readonly connections: () => number
}

const IN_CHAIN = '1.2.840.113556.1.4.1941'
const PAGED = '1.2.840.113556.1.4.319'

/**
 * A stand-in for Active Directory: what `slapd` does not have is its words in a failed bind, names with a domain, the rule for nested groups, and values
 * in parts. It speaks LDAPv3 (RFC 4511) as far as Satchel does.
 */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const { entries = [], tls, references = [], silent, speak, anonymous = false } = options
  const binds: { dn: string; password: string }[] = []
  const searches: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  function serve(socket: Socket): void {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let waiting = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      if (speak !== undefined) return speak(socket, chunk)
      if (silent === 'always') return undefined
      const { elements, rest } = elementsIn(Buffer.concat([waiting, chunk]))
      waiting = Buffer.from(rest)
      for (const message of elements) answer(socket, message)
      return undefined
    })
  }

  function answer(socket: Socket, message: Element): void {
    const [id, operation, controls] = partsOf(message)
    if (id === undefined || operation === undefined) return
    const reply = (tag: number, parts: Buffer[], more: Buffer[] = []): void =>
      void socket.write(sequence(element(0x02, id.bytes), element(tag, ...parts), ...more))
    if (operation.tag === 0x60) bind(operation, reply)
    else if (operation.tag === 0x63 && silent !== 'search') search(operation, controls, reply)
    else if (operation.tag === 0x42) socket.end()
  }

  function bind(operation: Element, reply: (tag: number, parts: Buffer[]) => void): void {
    const [, name, secret] = partsOf(operation)
    const [dn, password] = [name?.bytes.toString() ?? '', secret?.bytes.toString() ?? '']
    binds.push({ dn, password })
    const same = (one: string): boolean => one.toLowerCase() === dn.toLowerCase()
    const entry = entries.find((one) => same(one.dn) || (one.alsoKnownAs ?? []).some(same))
    const isNobody = anonymous && (password === '' || password.startsWith('\0'))
    const code = isNobody ? null : entry === undefined ? '525' : entry.password !== password ? '52e' : (entry.bindCode ?? null)
    const words = code === null ? '' : `80090308: LdapErr: DSID-0C090447, comment: AcceptSecurityContext error, data ${code}, v3839`
    reply(0x61, [integer(code === null ? 0 : 49, 0x0a), text(''), text(words)])
  }

  function search(operation: Element, controls: Element | undefined, reply: (tag: number, parts: Buffer[], more?: Buffer[]) => void): void {
    const [base, scope, , limit, , , filter, wanted] = partsOf(operation)
    if (filter === undefined || wanted === undefined) return
    searches.push(filter.bytes.toString('latin1'))
    const under = (base?.bytes.toString() ?? '').toLowerCase()
    const isBase = scope?.bytes[0] === 0
    const inScope = entries.filter(({ dn }) => (isBase ? dn.toLowerCase() === under : dn.toLowerCase().endsWith(under)))
    const found = inScope.filter((entry) => matches(entry, filter))
    const names = partsOf(wanted).map(({ bytes }) => bytes.toString().toLowerCase())
    const page = pageIn(controls)
    const most = limit?.bytes.readUIntBE(0, limit.bytes.length) ?? 0
    const from = page?.from ?? 0
    const until = page === null ? (most === 0 ? found.length : most) : from + page.size
    for (const { dn, attributes } of found.slice(from, until)) {
      const given = Object.entries(attributes).filter(
        ([name]) => names.length === 0 || names.some((one) => name.toLowerCase().split(';')[0] === one),
      )
      const parts = given.map(([name, values]) => sequence(text(name), element(0x31, ...values.map((value) => text(value)))))
      reply(0x64, [text(dn), sequence(...parts)])
    }
    for (const reference of references) reply(0x73, [text(reference)])
    const cookie = until < found.length ? String(until) : ''
    const control = page === null ? [] : [element(0xa0, sequence(text(PAGED), text(sequence(integer(0), text(cookie)))))]
    const isMore = page === null && until < found.length
    reply(0x65, [integer(isMore ? 4 : 0, 0x0a), text(''), text('')], control)
  }

  function matches(entry: Entry, { tag, bytes }: Element): boolean {
    const parts = elementsIn(bytes).elements
    if (tag === 0xa0) return parts.every((part) => matches(entry, part))
    if (tag === 0xa1) return parts.some((part) => matches(entry, part))
    if (tag === 0xa2) return parts[0] !== undefined && !matches(entry, parts[0])
    if (tag === 0x87) return bytes.toString().toLowerCase() === 'objectclass' || valuesOf(entry, bytes.toString()).length > 0
    if (tag === 0xa3) {
      const [attribute, value] = parts
      return valuesOf(entry, attribute?.bytes.toString() ?? '').some((one) => equal(one, value?.bytes ?? Buffer.alloc(0)))
    }
    if (tag === 0xa4) return valuesOf(entry, parts[0]?.bytes.toString() ?? '').length > 0
    if (tag !== 0xa9) return false
    const [rule, attribute, value] = [0x81, 0x82, 0x83].map((kind) => parts.find((part) => part.tag === kind)?.bytes.toString() ?? '')
    return rule === IN_CHAIN && attribute?.toLowerCase() === 'member' && holds(entry, value?.toLowerCase() ?? '', new Set())
  }

  /** Whether a group has a member, through whatever groups. */
  function holds(group: Entry, member: string, seen: Set<string>): boolean {
    if (seen.has(group.dn)) return false
    seen.add(group.dn)
    const members = valuesOf(group, 'member').map((one) => String(one).toLowerCase())
    return members.includes(member) || entries.some((one) => members.includes(one.dn.toLowerCase()) && holds(one, member, seen))
  }

  const server = tls === undefined ? createServer(serve) : createTlsServer({ ...tls }, serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    binds,
    searches,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function valuesOf({ attributes }: Entry, name: string): readonly (string | Buffer)[] {
  return Object.entries(attributes).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1] ?? []
}

function equal(one: string | Buffer, other: Buffer): boolean {
  return Buffer.isBuffer(one) ? one.equals(other) : one.toLowerCase() === other.toString().toLowerCase()
}

function pageIn(controls: Element | undefined): { size: number; from: number } | null {
  const control = controls === undefined ? undefined : partsOf(controls).find((one) => partsOf(one)[0]?.bytes.toString() === PAGED)
  const value = control === undefined ? undefined : partsOf(control).at(-1)
  const [size, cookie] = value === undefined ? [] : partsOf(elementsIn(value.bytes).elements[0] ?? value)
  if (size === undefined || cookie === undefined) return null
  return { size: size.bytes.readUIntBE(0, size.bytes.length), from: Number(cookie.bytes.toString() || 0) }
}
