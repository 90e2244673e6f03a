/** Lines of a response as they arrive, batched per chunk; an unterminated last line is dropped. */
export async function* linesOf(response: Response): AsyncGenerator<string[], void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunksOf(response)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines
  }
}

/** Chunks of a response body; not every browser supports async iteration of streams. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) if (value) yield value
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
