import { readSync } from 'node:fs'
import { isAppError } from '../../shared/errors.ts'
import { answerRequests } from '../threads/threads.ts'
import { mayLeaveMount } from './address.ts'
import { createDiskCalls } from './disk-calls.ts'
import { blockingIo } from './disk-io.ts'
import type { DiskAnswer, DiskAsk } from './thread-executor.ts'

/** A thread for one disk, which it may block. */
const calls: Record<string, (...args: never[]) => unknown> = { ...createDiskCalls(blockingIo), ...blockingIo, read }

answerRequests(async ({ call, args }: DiskAsk) => ({ answer: await answerTo(call, args), transfer: [] }))

async function answerTo(call: string, args: readonly unknown[]): Promise<DiskAnswer> {
  try {
    // Requests come from `createThreadExecutor`, which sends the name and the arguments of a call.
    return { value: await calls[call]?.(...(args.map(mayLeaveMount) as never[])) }
  } catch (error) {
    if (!isAppError(error)) throw error
    return { code: error.code, detail: error.detail }
  }
}

function read(fd: number, length: number, at: number): Uint8Array {
  const bytes = new Uint8Array(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, at))
}
