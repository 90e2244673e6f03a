import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'bun:test'
import { endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { openApi } from './document.ts'

const document = await openApi()
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate({ ...document })).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('has every call of the contract', () => {
    for (const { call } of endpointsOf(api)) {
      const methods = document.paths[call.path.replace(/\*path$/, '{path}').replace(/:(\w+)/g, '{$1}')]
      expect(methods?.[call.method.toLowerCase()]).toBeDefined()
    }
  })

  it('has a reference for no schema that it lacks', () => {
    const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(50)
    expect(names.filter((name) => document.components.schemas[name] === undefined)).toEqual([])
  })

  it('joins calls that differ by what the client accepts', () => {
    const content = document.paths['/api/resources/{path}']?.['get']?.responses['200']?.content ?? {}
    expect(Object.keys(content)).toEqual(['application/vnd.satchel.rows+json', 'application/vnd.satchel.rows+json-seq', 'application/json'])
  })

  it('requires a parameter of calls at one address only if all of them do', () => {
    const parameters = document.paths['/api/versions/{path}']?.['get']?.parameters ?? []
    expect(parameters.map(({ name, required }) => [name, required])).toEqual([
      ['path', true],
      ['id', false],
      ['inline', false],
    ])
  })

  it('says what the comments of the contract say, of calls, schemas and fields', () => {
    const webhook = document.components.schemas['Webhook']
    expect(webhook?.description).toStartWith('Its secret is returned once')
    expect(webhook?.properties?.['created']?.description).toBe('Milliseconds since 1970.')
    expect(document.paths['/api/sessions']?.['delete']?.description).toBe(
      'Ends every session of the caller, including this one; with `tokens`, also their API tokens.',
    )
  })

  it('has a title for every operation, and no two with the same name', () => {
    expect(operations.filter(({ summary }) => summary.includes('.'))).toEqual([])
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  })

  it('has an example of each body, of most answers, and of each error that a call can answer', () => {
    const contents = (media: object = {}) => Object.values(media) as { example?: unknown; examples?: Record<string, { $ref: string }> }[]
    const bodies = operations.flatMap(({ requestBody }) => contents({ json: requestBody?.content['application/json'] }))
    expect(bodies.filter((body) => body !== undefined && body.example === undefined)).toEqual([])
    const answers = operations.map(({ responses }) => responses['200']?.content?.['application/json']).filter((one) => one !== undefined)
    expect(answers.filter(({ example }) => example !== undefined).length / answers.length).toBeGreaterThan(0.7)
    const named = operations.flatMap(({ responses }) => Object.values(responses).flatMap(({ content }) => contents(content)))
    const refs = new Set(named.flatMap(({ examples = {} }) => Object.values(examples).map(({ $ref }) => $ref)))
    const known = Object.keys(document.components.examples).map((code) => `#/components/examples/${code}`)
    expect([...refs].filter((ref) => !known.includes(ref))).toEqual([])
    // A client never hears that it is offline.
    expect(known.filter((ref) => !refs.has(ref) && !ref.endsWith('/offline') && !ref.endsWith('/method-not-allowed'))).toEqual([])
  })
})
