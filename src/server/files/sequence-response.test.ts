import { describe, expect, it } from 'bun:test'
import { respondSequence } from './sequence-response.ts'

describe('a sequence of JSON texts (RFC 7464)', () => {
  it.each([
    ['plain', true, null],
    ['gzip', false, 'gzip'],
    ['zstd', false, 'zstd'],
  ] as const)('sends each text as soon as it is available: %s', async (accepted, local, coding) => {
    const second = Promise.withResolvers<void>()
    async function* texts() {
      yield bytes({ begins: true })
      await second.promise
      yield bytes({ ends: 'x'.repeat(200_000) })
    }
    const response = respondSequence(texts(), { mediaType: 'a/b+json-seq', request: asking(accepted), local })
    expect(response.headers.get('content-encoding')).toBe(coding)
    const plain = coding === null ? response.body : response.body?.pipeThrough(new DecompressionStream(coding))
    const reader = plain?.pipeThrough(new TextDecoderStream()).getReader()
    // Were it held back, this would wait for ever.
    expect(await reader?.read()).toEqual({ done: false, value: '\x1e{"begins":true}\n' })
    second.resolve()
    let rest = ''
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) rest += part.value
    expect(rest).toBe(`\x1e{"ends":"${'x'.repeat(200_000)}"}\n`)
  })

  it.each(['plain', 'gzip', 'zstd'])('ends at the first failure: %s', async (accepted) => {
    async function* texts() {
      yield bytes({})
      throw new Error('the folder is gone')
    }
    const response = respondSequence(texts(), { mediaType: 'a/b', request: asking(accepted), local: false })
    expect(await response.bytes().catch(String)).toContain('the folder is gone')
  })
})

function bytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

function asking(accepted: string): Request {
  return new Request('http://x/', { headers: { 'accept-encoding': accepted } })
}
