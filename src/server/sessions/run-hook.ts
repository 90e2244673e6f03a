/** Runs a program of the operator's, without a shell; `code` is null if it was killed. */
export type RunHook = (argv: readonly string[], options: RunHookOptions) => Promise<{ code: number | null; stdout: string }>

export interface RunHookOptions {
  readonly stdin: string
  readonly timeoutMs: number
  /** A program that writes more is killed. */
  readonly maxOutputBytes: number
}

/** With the rights of this server, because the operator chose the program; its environment contains only PATH. */
export const runHook: RunHook = async (argv, { stdin, timeoutMs, maxOutputBytes }) => {
  const child = Bun.spawn([...argv], {
    stdin: Buffer.from(stdin),
    stdout: 'pipe',
    stderr: 'ignore',
    env: { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin' },
    // Its own process group, so that its children end with it.
    detached: true,
  })
  const { promise: late, resolve: tooLate } = Promise.withResolvers<null>()
  const timer = setTimeout(() => tooLate(null), timeoutMs)
  try {
    const output = readUpTo(child.stdout, maxOutputBytes)
    const stdout = await Promise.race([output, late])
    const code = stdout === null ? null : await Promise.race([child.exited, late])
    return { code, stdout: stdout ?? '' }
  } finally {
    clearTimeout(timer)
    endGroup(child.pid)
  }
}

/** Null if there is more. */
async function readUpTo(stream: ReadableStream<Uint8Array>, limit: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // No process of the group is left.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
