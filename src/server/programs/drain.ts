/** Reads and discards output, so that the program does not block. */
export async function drain(output: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of output) void _
}
