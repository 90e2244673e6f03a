import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { wireDocument } from './print-wire.ts'

describe('docs/wire.md', () => {
  it('is what the contract says now (else: npm run wire)', () => {
    expect(readFileSync(join(import.meta.dir, '../docs/wire.md'), 'utf8')).toBe(wireDocument())
  })

  it('has a section with all parts of a call', () => {
    const section = wireDocument().split('### tus.create\n')[1]?.split('\n### ')[0]
    expect(section).toContain('`POST /api/tus/*path` by user, with the right create')
    expect(section).toContain("'upload-length': string")
    expect(section).toContain('result: status, headers and bytes')
  })
})
