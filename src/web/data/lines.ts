/** The lines of an answer as they arrive, those of one portion together; a last one without its end is not told. */
export async function* linesOf(response: Response): AsyncGenerator<string[], void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunksOf(response)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines
  }
}

/** The bytes of an answer as they arrive; not every browser can walk over a stream by itself. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) if (value) yield value
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
