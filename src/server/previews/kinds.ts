import { extensionOf, fileType } from '../../shared/file-type.ts'

/** How a file is turned into a picture; `as-it-is` for images that only browsers decode, null if there is no way. */
export type PreviewKind = 'image' | 'gif' | 'raw-photo' | 'as-it-is' | 'video' | 'audio' | 'pdf' | null

/** TIFF files with embedded pictures. */
const RAW_PHOTO = new Set('dng cr2 nef arw orf rw2 pef srw'.split(' '))
const ONLY_BROWSERS = new Set('bmp dib ico cur'.split(' '))
/** Images that every browser shows: served unchanged if resizing is off. */
const BROWSER = new Set('jpg jpeg jpe jfif png apng gif webp avif svg bmp dib ico cur'.split(' '))

export function previewKind(name: string): PreviewKind {
  const extension = extensionOf(name).slice(1).toLowerCase()
  const type = fileType(name)
  if (RAW_PHOTO.has(extension)) return 'raw-photo'
  if (ONLY_BROWSERS.has(extension)) return 'as-it-is'
  if (extension === 'gif') return 'gif'
  return type === 'image' || type === 'video' || type === 'audio' || type === 'pdf' ? type : null
}

export function isForBrowsers(name: string): boolean {
  return BROWSER.has(extensionOf(name).slice(1).toLowerCase())
}

/** HEIC by its first bytes (ISO 14496-12 brand), whatever the name: phones mix up the extensions. */
export function isHeic(head: Uint8Array): boolean {
  const brand = Buffer.from(head.subarray(4, 12)).toString('latin1')
  return /^ftyp(heic|heix|hevc|hevx|mif1|msf1)$/.test(brand)
}
