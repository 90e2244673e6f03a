import type { S3Answer, S3Client } from './client.ts'
import { isFailure } from './failures.ts'
import { encodeKey } from './keys.ts'
import { bare } from './objects.ts'
import { elements, textIn, xmlText } from './xml.ts'

export interface S3Upload {
  readonly key: string
  readonly id: string
  /** Milliseconds since 1970. */
  readonly begun: number
}

export interface S3Part {
  /** From 1 to 10,000. */
  readonly number: number
  readonly size: number
  readonly etag: string
  readonly modified: number
}

export interface S3Multipart {
  begin(key: string, headers?: Readonly<Record<string, string>>): Promise<S3Upload>
  sendPart(upload: S3Upload, number: number, body: Uint8Array<ArrayBuffer>): Promise<S3Part>
  /** A range of another object as a part; `end` is not included. */
  copyPart(upload: S3Upload, number: number, from: { readonly key: string; readonly start: number; readonly end: number }): Promise<S3Part>
  /** Null if there is no such upload any more. */
  parts(upload: S3Upload): Promise<S3Part[] | null>
  /** Makes the parts an object in one step. With `isNew`, fails with 412 if the service knows that condition and the key is used; the parts remain. */
  complete(upload: S3Upload, parts: readonly S3Part[], options?: { isNew?: boolean }): Promise<S3Answer>
  abort(upload: S3Upload): Promise<void>
  /** Uploads whose keys begin like this. */
  uploads(prefix: string): Promise<S3Upload[]>
}

export function createS3Multipart({ send }: S3Client, { bucket }: { bucket: string }): S3Multipart {
  const at = ({ id }: S3Upload, query: Record<string, string> = {}) => ({ ...query, uploadId: id })

  return {
    async begin(key, headers = {}) {
      const { text } = await send({ method: 'POST', key, query: { uploads: '' }, headers })
      return { key, id: textIn(text, 'UploadId') ?? '', begun: Date.now() }
    },
    async sendPart(upload, number, body) {
      const { headers } = await send({ method: 'PUT', key: upload.key, query: at(upload, { partNumber: String(number) }), body })
      return { number, size: body.length, etag: bare(headers.get('etag') ?? ''), modified: Date.now() }
    },
    async copyPart(upload, number, { key, start, end }) {
      const headers = { 'x-amz-copy-source': `/${bucket}/${encodeKey(key)}`, 'x-amz-copy-source-range': `bytes=${start}-${end - 1}` }
      const query = at(upload, { partNumber: String(number) })
      const { text } = await send({ method: 'PUT', key: upload.key, query, headers, copies: end - start })
      return { number, size: end - start, etag: bare(textIn(text, 'ETag') ?? ''), modified: Date.now() }
    },
    async parts(upload) {
      const parts: S3Part[] = []
      for (let marker: string | null = '0'; marker !== null;) {
        try {
          const { text } = await send({ method: 'GET', key: upload.key, query: at(upload, { 'part-number-marker': marker }) })
          parts.push(...elements(text, 'Part').map(partOf))
          marker = textIn(text, 'IsTruncated') === 'true' ? textIn(text, 'NextPartNumberMarker') : null
        } catch (error) {
          if (isFailure(error, 404)) return null
          throw error
        }
      }
      return parts.toSorted((one, other) => one.number - other.number)
    },
    complete(upload, parts, { isNew = false } = {}) {
      const rows = parts.map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${xmlText(`"${etag}"`)}</ETag></Part>`)
      const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${rows.join('')}</CompleteMultipartUpload>`
      const headers = { 'content-type': 'application/xml', ...(isNew && { 'if-none-match': '*' }) }
      return send({ method: 'POST', key: upload.key, query: at(upload), headers, body })
    },
    async abort(upload) {
      try {
        await send({ method: 'DELETE', key: upload.key, query: at(upload) })
      } catch (error) {
        if (!isFailure(error, 404)) throw error
      }
    },
    async uploads(prefix) {
      const found: S3Upload[] = []
      let marker: Record<string, string> | null = {}
      while (marker !== null) {
        const { text } = await send({ method: 'GET', key: '', query: { uploads: '', prefix, ...marker } })
        found.push(...elements(text, 'Upload').map(uploadOf))
        const isMore = textIn(text, 'IsTruncated') === 'true'
        marker = isMore
          ? { 'key-marker': textIn(text, 'NextKeyMarker') ?? '', 'upload-id-marker': textIn(text, 'NextUploadIdMarker') ?? '' }
          : null
      }
      return found
    },
  }
}

function partOf(row: string): S3Part {
  return {
    number: Number(textIn(row, 'PartNumber') ?? 0),
    size: Number(textIn(row, 'Size') ?? 0),
    etag: bare(textIn(row, 'ETag') ?? ''),
    modified: Date.parse(textIn(row, 'LastModified') ?? '') || 0,
  }
}

function uploadOf(row: string): S3Upload {
  return { key: textIn(row, 'Key') ?? '', id: textIn(row, 'UploadId') ?? '', begun: Date.parse(textIn(row, 'Initiated') ?? '') || 0 }
}
