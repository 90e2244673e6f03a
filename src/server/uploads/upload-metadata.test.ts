import { describe, expect, it } from 'bun:test'
import { modifiedOf } from './upload-metadata.ts'

const said = (text: string) => modifiedOf(`filename YQ==,lastmodified ${btoa(text)}`)

describe('the modification time sent by a client', () => {
  it('is read from the upload metadata, in any order and case', () => {
    expect(said('1700000000123')).toBe(1_700_000_000_123)
    expect(said('-1000')).toBe(-1000)
    expect(modifiedOf(`lastModified ${btoa('5')} , filename YQ==`)).toBe(5)
  })

  it('is undefined if it is missing or invalid', () => {
    for (const text of ['', 'yesterday', '1e9', '1.5', '9'.repeat(15), '9'.repeat(30)]) expect(said(text)).toBeUndefined()
    for (const stamp of ['', 'filename YQ==', 'lastmodified', 'lastmodified %%%', ',,,']) expect(modifiedOf(stamp)).toBeUndefined()
  })
})
