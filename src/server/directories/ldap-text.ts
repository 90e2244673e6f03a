/** A text as a value in a filter (RFC 4515 §3): the characters that have a meaning there become hexadecimal. */
export function filterValue(text: string): string {
  return text.replace(/[\\*()\0]/g, (one) => `\\${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** A text as a value in a distinguished name (RFC 4514 §2.4). */
export function dnValue(text: string): string {
  return text
    .replace(/[\\,+"<>;=]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ')
    .replaceAll('\0', '\\00')
}

/** Of an attribute, by its name or as a number. */
const TYPE = /^\s*(?:oid\.)?([a-z][a-z0-9-]*|\d+(?:\.\d+)*)\s*$/i
const HEX_PAIR = /^[0-9a-f]{2}$/i

/**
 * One spelling for all spellings of a distinguished name (RFC 4514, and LDAP's way to compare: without case, with one space for several), so that two
 * names of the same entry are equal as texts. Null for a text that is none.
 */
export function canonicalDn(dn: string): string | null {
  const names: string[] = []
  let rest = dn
  while (true) {
    const name = firstName(rest)
    if (name === null) return null
    names.push(name.text)
    if (name.rest === null) return names.join(',')
    rest = name.rest
  }
}

/** The first relative name, with its parts in order, and what follows its comma; null if nothing does. */
function firstName(text: string): { text: string; rest: string | null } | null {
  const parts: string[] = []
  let rest = text
  while (true) {
    const at = rest.indexOf('=')
    const type = at === -1 ? null : TYPE.exec(rest.slice(0, at))
    const value = type === null ? null : valueIn(rest.slice(at + 1))
    if (type === null || value === null || value.text === '') return null
    parts.push(`${(type[1] ?? '').toLowerCase()}=${dnValue(value.text)}`)
    if (value.end !== '+') return { text: parts.toSorted().join('+'), rest: value.end === '' ? null : value.rest }
    rest = value.rest
  }
}

/** A value without its escapes, until the `,`, `;` or `+` that ends it. Null if it has a character that must be escaped. */
function valueIn(text: string): { text: string; end: string; rest: string } | null {
  const bytes: number[] = []
  /** How much of it is not white space that nothing protects. */
  let kept = 0
  const push = (part: string | number[]): void => void bytes.push(...(typeof part === 'string' ? Buffer.from(part) : part))
  let at = 0
  let end = ''
  while (at < text.length && end === '') {
    const one = String.fromCodePoint(text.codePointAt(at) ?? 0)
    if (one === '\\') {
      const pair = text.slice(at + 1, at + 3)
      const isHex = HEX_PAIR.test(pair)
      if (!isHex && pair === '') return null
      push(isHex ? [Number.parseInt(pair, 16)] : (pair[0] ?? ''))
      at += isHex ? 3 : 2
      kept = bytes.length
    } else if (one === ',' || one === ';' || one === '+') end = one
    else if (one === '"' || one === '<' || one === '>' || one === '\0') return null
    else {
      if (one !== ' ' || bytes.length > 0) push(one)
      at += one.length
      if (one !== ' ') kept = bytes.length
    }
  }
  const value = Buffer.from(bytes.slice(0, kept)).toString().normalize('NFKC').replace(/ +/g, ' ').toLowerCase()
  return { text: value, end, rest: text.slice(at + 1) }
}

/** Why a text cannot be the name that somebody types to sign in; null if it can. Such a name would be a second spelling of another one. */
export function loginProblem(login: string): string | null {
  if (login.trim() === '') return 'it is empty'
  if (login !== login.trim() || / {2}/.test(login)) return 'it has white space that a directory ignores'
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(login) ? 'it has characters that nobody sees' : null
}
