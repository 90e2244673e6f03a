import { describe, expect, it } from 'bun:test'
import { AppError, fail } from '../../../shared/errors.ts'
import { parseFilePath } from '../../../shared/file-path.ts'
import { type ConflictAnswer, type UploadItem, send, type UploadTransport } from './send.ts'

describe('sending a file', () => {
  it('does not ask if the name is free', async () => {
    const { wire, log } = wireTo([])
    expect(await send(job(), wire)).toBe('sent')
    expect(log).toEqual(['begin /a.txt', 'transfer /a.txt'])
  })

  it('asks about a taken name before any byte is sent, and replaces', async () => {
    const { wire, log } = wireTo(['/a.txt'], 'replace')
    expect(await send(job(), wire)).toBe('sent')
    expect(log).toEqual(['begin /a.txt', 'ask', 'begin /a.txt!', 'transfer /a.txt!'])
  })

  it('sends nothing when the answer is to skip', async () => {
    const { wire, log } = wireTo(['/a.txt'], 'skip')
    expect(await send(job(), wire)).toBe('skipped')
    expect(log).toEqual(['begin /a.txt', 'ask'])
  })

  it('tries the next free name if one is taken meanwhile', async () => {
    const { wire, log } = wireTo(['/a.txt', '/a(1).txt'], 'keep-both')
    expect(await send(job(), wire)).toBe('sent')
    expect(log.at(-1)).toBe('transfer /a(2).txt')
  })

  it('does not ask if the whole drop was decided', async () => {
    const { wire, log } = wireTo(['/a.txt'], 'skip')
    expect(await send(job(), wire, 'replace')).toBe('sent')
    expect(log).not.toContain('ask')
  })

  it('throws every other error', async () => {
    const { wire } = wireTo([])
    const full: UploadTransport = { ...wire, transfer: async () => fail('storage-full', {}) }
    expect(send(job(), full)).rejects.toThrow(new AppError('storage-full', {}))
  })
})

function job(): UploadItem {
  return { path: parseFilePath('/a.txt'), file: new File(['x'], 'a.txt') }
}

function wireTo(taken: string[], answer: ConflictAnswer = 'skip'): { wire: UploadTransport; log: string[] } {
  const log: string[] = []
  let names = 0
  const mark = (override: boolean): string => (override ? '!' : '')
  const wire: UploadTransport = {
    async begin({ path }, { override }) {
      log.push(`begin ${path}${mark(override)}`)
      if (!override && taken.includes(path)) fail('already-exists', { path })
    },
    async transfer({ path }, { override }) {
      log.push(`transfer ${path}${mark(override)}`)
    },
    async askConflict() {
      log.push('ask')
      return answer
    },
    async freeName() {
      names += 1
      return parseFilePath(`/a(${names}).txt`)
    },
  }
  return { wire, log }
}
