import type { ComponentType, ReactNode } from 'react'
import type { FileType } from '../../../shared/contract/resources.ts'
import type { ByteSource } from './byte-source.ts'

/** A file that is shown. */
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
  /** The PDF that the server makes of an office document. */
  readonly pdf?: string | undefined
  /** Poster frame of a video. */
  readonly poster?: string | undefined
  readonly subtitles: readonly { readonly src: string; readonly name: string }[]
}

/** Props of our own viewers. */
export interface ViewerProps {
  name: string
  source: ByteSource
  /** Fallback if the file is unreadable or not what its name says. */
  otherwise: ReactNode
}

/** Kinds with a viewer of our own. */
export type ViewedKind = 'font' | 'book'

/** Where a PDF begins, and who is told of the page that is shown; from 1. */
export interface PdfPages {
  readonly first: number
  readonly onPage: (page: number) => void
}

/** Props of the PDF viewer. */
export interface PdfViewerProps extends ViewerProps, PdfPages {
  /** Inline, for the browser's own viewer, which prints it. */
  address: string
}

/** Lazily loaded. */
export type Viewers = Readonly<Record<ViewedKind, ComponentType<ViewerProps>>> & { readonly pdf: ComponentType<PdfViewerProps> }

const KINDS: readonly (readonly [RegExp, ViewedKind])[] = [
  [/\.(ttf|otf|woff2?)$/i, 'font'],
  [/\.epub$/i, 'book'],
]

/** By name; null if there is none. */
export function viewedKind(name: string): ViewedKind | null {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
