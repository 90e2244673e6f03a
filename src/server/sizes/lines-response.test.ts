import { describe, expect, it } from 'bun:test'
import { respondLines } from './lines-response.ts'

describe('a response in lines', () => {
  it('has one value per line, and releases its slot at the end', async () => {
    const ended = Promise.withResolvers<void>()
    const answer = respondLines(some(), { onLeave: () => undefined, onEnd: ended.resolve })
    expect(await answer.text()).toBe('{"a":1}\n{"a":2}\n')
    await ended.promise
  })

  it('sends a keep-alive while the next value is computed', async () => {
    const slow = Promise.withResolvers<number>()
    const answer = respondLines(after(slow.promise), { onLeave: () => undefined, onEnd: () => undefined, heartbeatMs: 1 })
    const reader = answer.body?.getReader()
    expect(await reader?.read()).toMatchObject({ value: new TextEncoder().encode('\n') })
    slow.resolve(7)
    let text = ''
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read())
      text += new TextDecoder().decode(piece.value)
    expect(text.trim()).toBe('7')
  })

  it('is aborted when the client disconnects, and releases its slot', async () => {
    const left = new AbortController()
    const ended = Promise.withResolvers<void>()
    const called = new Promise<never>((_, reject) => left.signal.addEventListener('abort', () => reject(left.signal.reason)))
    const answer = respondLines(after(called), { onLeave: () => left.abort(), onEnd: ended.resolve, heartbeatMs: 1 })
    const reader = answer.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await ended.promise
    expect(left.signal.aborted).toBe(true)
  })

  it('is aborted if a value fails, so that it is not taken as complete', async () => {
    const ended = Promise.withResolvers<void>()
    const answer = respondLines(after(Promise.reject(new Error('no'))), { onLeave: () => undefined, onEnd: ended.resolve })
    await expect(answer.text()).rejects.toThrow('no')
    await ended.promise
  })
})

async function* some(): AsyncGenerator<unknown, void> {
  yield { a: 1 }
  yield { a: 2 }
}

async function* after(value: Promise<unknown>): AsyncGenerator<unknown, void> {
  yield await value
}
