import type { FileType } from '../../../shared/contract/resources.ts'

export interface MediaFile {
  readonly name: string
  readonly size: number
  readonly type: FileType
  readonly modified: string
}

/** Addresses of a file's bytes, for users who may download. */
export interface MediaAddresses {
  /** Inline. */
  readonly inline: string
  /** As a download. */
  readonly download: string
  /** Poster frame of a video. */
  readonly poster?: string | undefined
  readonly subtitles: readonly { readonly src: string; readonly name: string }[]
}
