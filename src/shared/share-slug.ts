/** Letters, digits, `-` and `_`: nothing that must be encoded in an address, and every name that links of the predecessor have. */
const SLUG = /^(?=.*[a-z0-9])[a-z0-9_-]{3,64}$/i

/** Names that could be confused with a part of the product, or with nothing. */
const RESERVED: ReadonlySet<string> = new Set(
  'admin api base core css dl files fonts health help img index js login logout manifest new null public robots root settings share shares signup static undefined users'.split(
    ' ',
  ),
)

/** Why a slug is invalid; null if it is valid. */
export function slugProblem(slug: string): 'form' | 'reserved' | null {
  if (!SLUG.test(slug)) return 'form'
  return RESERVED.has(slug.toLowerCase()) ? 'reserved' : null
}
