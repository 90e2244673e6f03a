/** Reads what nobody wants to know, so that whoever says it need not wait. */
export async function drain(said: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of said) void _
}
