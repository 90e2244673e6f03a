import type { FileType } from './contract/resources.ts'
import { MAX_TEXT_BYTES } from './limits.ts'

export const SNIFF_BYTES = 512

export interface TypeHints {
  name: string
  /** Bytes. */
  size: number
  /** The first SNIFF_BYTES of the file, if they were read. */
  head?: Uint8Array
}

/** The type of a file by its name and as much of its content as is known. Never `textImmutable`. */
export function typeOf({ name, size, head }: TypeHints): FileType {
  const extension = extensionOf(name).slice(1).toLowerCase()
  const named = TYPES.get(extension)
  if (STREAM_OR_SCRIPT.has(extension)) return size > MAX_TEXT_BYTES || (head && isTransportStream(head)) ? 'video' : 'text'
  if (named !== undefined && named !== 'text') return named
  if (size > MAX_TEXT_BYTES) return named === undefined && head ? (typeByMagic(head) ?? 'blob') : 'blob'
  if (head === undefined || PLAIN.has(extension)) return 'text'
  return typeByMagic(head) ?? (looksLikeText(head) ? 'text' : 'blob')
}

/** By the name alone; null if it does not tell. */
export function fileType(name: string): FileType | null {
  return TYPES.get(extensionOf(name).slice(1).toLowerCase()) ?? null
}

/** From the last dot, included: `.gz` of `x.tar.gz`, `.hid` of `.hid`, empty without a dot. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot)
}

/** No control bytes up to 0x08 and valid UTF-8, except for a truncated last character. */
export function looksLikeText(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte <= 8) return false
  return isUtf8(bytes.subarray(0, bytes.length - cutOff(bytes)))
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Bytes of an unfinished character at the end: at most three. */
function cutOff(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? back : 0
  }
  return 0
}

const MAGIC: readonly [type: FileType, offset: number, text: string][] = [
  ['image', 0, '\x89PNG\r\n\x1a\n'],
  ['image', 0, '\xff\xd8\xff'],
  ['image', 0, 'GIF8'],
  ['image', 8, 'WEBPVP8'],
  ['image', 0, 'BM\xff'],
  ['pdf', 0, '%PDF-'],
  ['video', 0, '\x1a\x45\xdf\xa3'],
  ['video', 8, 'AVI '],
  ['audio', 0, 'ID3'],
  ['audio', 0, 'fLaC'],
  ['audio', 0, 'OggS'],
  ['audio', 8, 'WAVE'],
  ['image', 4, 'ftypavif'],
  ['image', 4, 'ftypheic'],
  ['audio', 4, 'ftypM4A'],
  ['video', 4, 'ftyp'],
]

function typeByMagic(head: Uint8Array): FileType | null {
  const found = MAGIC.find(([, offset, text]) => [...text].every((char, i) => head[offset + i] === char.charCodeAt(0)))
  return found?.[0] ?? null
}

function isTransportStream(head: Uint8Array): boolean {
  return head[0] === 0x47 && (head.length <= 188 || head[188] === 0x47)
}

/** Names that TypeScript and MPEG transport streams share. */
const STREAM_OR_SCRIPT = new Set(['ts', 'mts'])

const IMAGE =
  'jpg jpeg jpe jfif png apng gif webp avif avifs heic heif svg svgz bmp dib ico cur tif tiff jp2 j2k jxl psd xcf dng cr2 cr3 nef arw orf rw2 raf pef srw tga pcx pbm pgm ppm pnm xbm xpm exr hdr qoi'
const AUDIO =
  'mp3 m4a m4b aac flac wav wave oga ogg opus spx wma aif aiff aifc ape wv alac mka mid midi kar amr ac3 dts mp2 mpga au snd weba tta tak dsf dff caf'
const VIDEO = 'mp4 m4v mkv webm mov qt avi wmv flv f4v mpg mpeg mpe m1v m2v m2ts mp4v ogv ogm 3gp 3g2 vob asf rm rmvb divx mxf mk3d'
/** Media types `text/…`: their content is not looked at. */
const PLAIN_TEXT =
  'txt text log md markdown mdx csv tsv html htm shtml css vtt srt ics ifb vcf vcard xml rst asc nfo diz ini conf cfg properties tex textile org adoc asciidoc'
/** Text as a rule; the content has the last word where it is known. */
const CODE =
  'ass ssa js mjs cjs jsx cts tsx json jsonc json5 jsonl ndjson geojson topojson webmanifest map yaml yml toml lock env sh bash zsh fish bat cmd ps1 py pyw pyi ipynb rb erb php phtml pl pm lua go mod sum rs c h cc cpp cxx hpp hh hxx m mm cs fs fsx vb java kt kts groovy gradle scala clj cljs edn ex exs erl hrl hs lhs ml mli elm dart swift r jl nim zig vhdl sv asm s sql graphql gql proto thrift vue svelte astro less sass scss styl dtd xsd xsl xslt rss atom opml plist kml gpx wsdl pem crt csr pub diff patch po pot strings reg inf desktop service socket timer mount target rules cnf htaccess gitignore gitattributes gitmodules editorconfig dockerignore npmrc nvmrc bashrc zshrc profile vimrc makefile mk cmake dockerfile tf tfvars hcl nix bib cls sty ltx m3u m3u8 pls cue sub rtx eml mbox url webloc lrc sbv ttml smi'
const BINARY =
  'zip zipx jar war ear apk aab ipa xpi crx gz tgz bz2 tbz tbz2 xz txz zst tzst lz lz4 lzma br sz 7z rar r00 cab arj lha lzh ace tar cpio iso img dmg vhd vhdx vmdk qcow2 ova rpm deb snap flatpak appimage msi msix exe dll sys com so dylib a o obj lib ko bin dat db sqlite sqlite3 mdb accdb dbf frm ibd class pyc pyo wasm node doc docx docm dot dotx xls xlsx xlsm xlsb xlt xltx ppt pptx pptm pps ppsx potx odt ods odp odg odf odb pages numbers key epub mobi azw azw3 djvu chm ttf otf ttc woff woff2 eot swf fla sketch fig ai eps ps indd blend fbx glb 3ds dwg torrent part crdownload p12 pfx jks gpg pgp sig kdbx pcap pcapng swp core dmp parquet avro orc npy npz pt pth onnx safetensors gguf h5 hdf5 pkl rdata rds'

const PLAIN = new Set(PLAIN_TEXT.split(' '))

const TYPES: ReadonlyMap<string, FileType> = new Map(
  (
    [
      ['blob', BINARY],
      ['text', CODE],
      ['text', PLAIN_TEXT],
      ['text', 'ts mts'],
      ['image', IMAGE],
      ['audio', AUDIO],
      ['video', VIDEO],
      ['pdf', 'pdf'],
    ] as const
  ).flatMap(([type, names]) => names.split(' ').map((name): [string, FileType] => [name, type])),
)
