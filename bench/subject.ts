import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** What is measured: a server that runs already (`--url`, `--token`, `--pid`), or the files area alone, started here. */
export interface Subject extends AsyncDisposable {
  readonly url: string
  readonly headers: Record<string, string>
  readonly pid: number
}

/** The folder that is served: the one of a server that runs already, or a new one. */
export function rootFolder(): string {
  return flags().root ?? mkdtempSync(join(tmpdir(), 'bench-'))
}

export async function startSubject(root: string): Promise<Subject> {
  const { url: running, token, pid } = flags()
  const headers: Record<string, string> = token === undefined ? {} : { 'X-Auth': token }
  if (running !== undefined) return { url: running, headers, pid: Number(pid), [Symbol.asyncDispose]: async () => undefined }
  const child = Bun.spawn([process.execPath, new URL('harness.ts', import.meta.url).pathname, root], { stdout: 'pipe', stderr: 'inherit' })
  const { value } = await child.stdout.getReader().read()
  const url = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`
  return { url, headers, pid: child.pid, [Symbol.asyncDispose]: () => end(child) }
}

export async function end(child: Bun.Subprocess): Promise<void> {
  child.kill()
  await child.exited
}

/** Clock ticks of one hundredth of a second that a process has worked, in its own code and in the kernel. */
export function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

function flags() {
  const text = { type: 'string' } as const
  return parseArgs({ options: { url: text, token: text, pid: text, root: text } }).values
}
