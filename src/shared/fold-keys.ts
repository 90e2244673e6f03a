import type * as z from 'zod/mini'

/**
 * A JSON value with the names that `schema` knows, whatever their case: the predecessor read `Username` as `username`. A name that is there in the
 * right case wins; names that the schema does not know stay as they are.
 */
export function foldKeys(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = schema._zod as unknown as { def: Def }
  if (def.innerType !== undefined) return foldKeys(def.innerType, value)
  if (def.type === 'array' && def.element !== undefined && Array.isArray(value)) {
    const { element } = def
    return value.map((part) => foldKeys(element, part))
  }
  if (def.shape === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { shape } = def
  const named = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]))
  const folded: Record<string, unknown> = {}
  for (const [written, part] of Object.entries(value)) {
    const name = Object.hasOwn(shape, written) ? written : (named.get(written.toLowerCase()) ?? written)
    if (name !== written && Object.hasOwn(value, name)) continue
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined
    // Not an assignment, which `__proto__` would turn into something else.
    Object.defineProperty(folded, name, {
      value: inner === undefined ? part : foldKeys(inner, part),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return folded
}

/** The parts of zod's definitions that are used. */
interface Def {
  readonly type: string
  readonly innerType?: z.core.$ZodType
  readonly element?: z.core.$ZodType
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
}
