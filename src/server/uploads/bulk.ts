import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type BulkFile, BulkHead } from '../../shared/contract/bulk.ts'
import type { JobError } from '../../shared/contract/jobs.ts'
import { AppError, fail } from '../../shared/errors.ts'
import { type FilePath, parseFilePath, ROOT } from '../../shared/file-path.ts'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import { MAX_BULK_BYTES, MAX_BULK_HEAD_BYTES } from '../../shared/limits.ts'
import type { Drive } from '../drive/drive.ts'
import { withStaged } from '../drive/with-staged.ts'
import { openByteReader, type ByteReader } from './byte-reader.ts'

/** An upload without a byte for this long is aborted. */
const STALL_MS = 60_000
/** Files of one request that are stored at the same time; each may start the programs of hooks. */
const AT_ONCE = 8
const LINE_FEED = 10

interface Announced extends Omit<BulkFile, 'path'> {
  readonly path: FilePath
}

/**
 * Stores the files of one bulk request (contract `bulk.upload`), several at a time, so that they wait for the disk together. Its first line is
 * validated completely before anything is done. If the client disconnects midway, the files before are complete and the others absent.
 */
export async function takeBulk(
  drive: Drive,
  { body, request }: { body: ReadableStream<Uint8Array> | null; request: Request },
): Promise<{ failures: (JobError | null)[] }> {
  await using pieces = openByteReader(body, { signal: request.signal, stallMs: STALL_MS })
  const files = await readHead(pieces, request.headers.get('content-length'))
  const reservation = randomUUID()
  await drive.reserve(
    reservation,
    files.map(({ path, size, override }) => ({ path, bytes: size, replace: override })),
    'request',
  )
  const inOrder = createKeyedMutex()
  const stored: Promise<JobError | null>[] = []
  const running = new Set<Promise<unknown>>()
  try {
    for (const file of files) {
      const bytes = await pieces.take(file.size)
      if (running.size >= AT_ONCE) await Promise.race(running)
      // A client that may send nothing any more is told so of the whole request.
      await drive.renew()
      const one = inOrder(file.path, () => putOne(drive, file, { bytes, reservation }))
      stored.push(one)
      running.add(one)
      one.finally(() => running.delete(one)).catch(() => undefined)
    }
    return { failures: await Promise.all(stored) }
  } finally {
    await Promise.allSettled(stored)
    await drive.release(reservation)
  }
}

async function readHead(pieces: ByteReader, announced: string | null): Promise<Announced[]> {
  const line = await pieces.until(LINE_FEED, { limit: MAX_BULK_HEAD_BYTES })
  const head = z.safeParse(BulkHead, parsed(line))
  if (!head.success)
    fail('invalid-input', { issues: head.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`) })
  const files = head.data.files.map((file) => ({ ...file, path: fileAt(file.path) }))
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > MAX_BULK_BYTES) fail('too-large', { limit: MAX_BULK_BYTES })
  if (announced !== null && Number(announced) !== line.length + 1 + bytes)
    fail('invalid-input', { issues: ['body: not as long as its files'] })
  return files
}

function parsed(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
  } catch {
    return fail('invalid-input', { issues: ['body: begins with no line of JSON'] })
  }
}

function fileAt(text: string): FilePath {
  const path = parseFilePath(text)
  return path === ROOT || text.endsWith('/') ? fail('invalid-input', { issues: ['path: a folder'] }) : path
}

/** Failures that are not specific to this file fail the whole request. */
async function putOne(
  drive: Drive,
  { path, override, modified }: Announced,
  { bytes, reservation }: { bytes: Uint8Array; reservation: string },
): Promise<JobError | null> {
  const options = { replace: override, ...(modified !== undefined && { modified }) }
  try {
    const put = async (staged: Awaited<ReturnType<Drive['stage']>>) => {
      await staged.append(bytes, { at: 0 })
      await drive.put(path, staged, options)
    }
    await withStaged(drive, path, put, { from: reservation })
    return null
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, detail: error.detail }
    throw error
  }
}
