import type { Storage } from '../storage.ts'

export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface S3Options {
  /** `https://host[:port]`; redirects are not followed, so it has to be the one of the bucket's region. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** The folder of the bucket that is served, without slashes at its ends; the whole bucket if empty. */
  readonly prefix?: string
  readonly credentials: S3Credentials
  /** The bucket is in the path of an address (`https://host/bucket/key`) instead of the host (`https://bucket.host/key`). */
  readonly pathStyle?: boolean
  /** A local folder for the bytes that do not fill a part yet. It must survive a restart, as the uploads do. */
  readonly folder: string
  /** The name of this server, the same after a restart: it finishes its own interrupted moves at once, those of other servers when they stay silent. */
  readonly server: string
  readonly exclusively?: Storage['exclusively']
  /** Bytes that the bucket may hold, as its operator sees it: an object store does not tell. */
  readonly capacity?: number
  readonly log?: (line: string) => void
  readonly limits?: Partial<S3Limits>
}

export interface S3Limits {
  /** Of a part of an upload; smaller files are sent in one request. At least 5 MiB, except for the last part (S3). */
  readonly partBytes: number
  /** Larger objects are copied in parts. At most 5 GiB (S3). */
  readonly copyBytes: number
  /** Requests of one move, removal or folder of small files at the same time. */
  readonly parallel: number
  /** Parts of one upload that are sent at the same time; each is held in memory. */
  readonly parallelParts: number
  /** Until an answer begins; also between two pieces of a body. */
  readonly timeoutMs: number
  /** Including the first one. */
  readonly attempts: number
  /** Before the second attempt; doubled for each further one, with chance. */
  readonly backoffMs: number
  /** A move of another server that was not heard of for so long is taken over. */
  readonly silentMs: number
}

export const S3_LIMITS: S3Limits = {
  partBytes: 8 * 1024 ** 2,
  copyBytes: 1024 ** 3,
  parallel: 16,
  parallelParts: 2,
  timeoutMs: 30_000,
  attempts: 5,
  backoffMs: 200,
  silentMs: 180_000,
}

/** Without a word from the operator. */
export const S3_CAPACITY = 1024 ** 5
