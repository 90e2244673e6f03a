import { describe, expect, it } from 'bun:test'
import { parseFilePath, ROOT } from '../file-path.ts'
import { endpointsOf, href } from './endpoint.ts'
import { api } from './index.ts'

describe('a URL from the contract', () => {
  it('contains the path encoded by segment, with the slash of a folder', () => {
    expect(href(api.resources.get, { params: { path: parseFilePath('/a b/100%.txt') } })).toBe('/api/resources/a%20b/100%25.txt')
    expect(href(api.resources.upload, { params: { path: parseFilePath('/new'), slash: true } })).toBe('/api/resources/new/')
    expect(href(api.resources.get, { params: { path: ROOT } })).toBe('/api/resources/')
  })

  it('repeats a parameter for a list and omits undefined ones', () => {
    const query = { files: ['a,b', 'c'], algo: undefined }
    expect(href(api.raw.get, { params: { path: ROOT }, query })).toBe('/api/raw/?files=a%2Cb&files=c')
  })

  it('reaches a folder named recursive', () => {
    expect(href(api.resources.get, { params: { path: parseFilePath('/recursive/x') } })).toBe('/api/resources/%72ecursive/x')
    expect(href(api.resources.recursive, { params: { path: parseFilePath('/docs') } })).toBe('/api/resources/recursive/docs')
  })
})

describe('the contract', () => {
  it('has one endpoint for each method, address, media type and parameter', () => {
    const keys = endpointsOf(api).map(({ call }) => `${call.method} ${call.path} ${call.accept ?? ''} ${call.withQuery ?? ''}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('defines who may call every endpoint, and requires a session if it needs a right', () => {
    for (const { name, call } of endpointsOf(api)) {
      expect([name, ['anyone', 'user', 'admin'].includes(call.by)]).toEqual([name, true])
      expect([name, call.by !== 'anyone' || call.needs.length === 0]).toEqual([name, true])
    }
  })
})
