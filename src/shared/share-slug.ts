/** Letters, digits, `-` and `_`: nothing that an address has to write otherwise, and every name that links of the predecessor have. */
const SLUG = /^(?=.*[a-z0-9])[a-z0-9_-]{3,64}$/i

/** What one would take for a part of the product, or for nothing at all. */
const RESERVED: ReadonlySet<string> = new Set(
  'admin api base core css dl files fonts health help img index js login logout manifest new null public robots root settings share shares signup static undefined users'.split(
    ' ',
  ),
)

/** Why somebody’s name for a link cannot be one; null where it can. */
export function slugProblem(slug: string): 'form' | 'reserved' | null {
  if (!SLUG.test(slug)) return 'form'
  return RESERVED.has(slug.toLowerCase()) ? 'reserved' : null
}
