import type { TypeSchema } from '../../../../shared/type-text.ts'

const MOST_DEPTH = 6

/** A value of a schema to begin with: required fields only, the first of several types, empty texts. */
export function exampleOf(schema: TypeSchema | undefined, schemas: Readonly<Record<string, TypeSchema>>, depth = 0): unknown {
  if (schema === undefined || depth > MOST_DEPTH) return null
  const inner = (one: TypeSchema | undefined): unknown => exampleOf(one, schemas, depth + 1)
  if (schema.$ref !== undefined) return inner(schemas[schema.$ref.split('/').at(-1) ?? ''])
  if ('const' in schema) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return inner(union[0])
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(inner))
  const [type] = [schema.type].flat()
  if (type === 'array') return schema.prefixItems?.map(inner) ?? []
  if (type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(required.map((name) => [name, inner(properties[name])]))
  }
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return 0
  return type === 'string' ? '' : null
}
