import decodeHeic from 'heic-decode'
import sharp, { type Sharp } from 'sharp'
import { BIG_PX, type Failure, MAX_PIXELS, type RenderRequest, type Picture, THUMB_PX } from './picture.ts'

/** A HEIC needs four bytes for each pixel, twice. */
const MAX_HEIC_PIXELS = 64_000_000
const SECONDS = 15

// One picture per process: the pool decides how many there are.
sharp.concurrency(1)
sharp.cache(false)

/** Renders a picture of an image: upright, in sRGB, without metadata. Runs in its own process. */
export async function render(order: RenderRequest, bytes: Uint8Array): Promise<Picture | Failure> {
  try {
    const image = order.decoder === 'heic' ? await openHeic(bytes) : openImage(bytes)
    if (image === 'too-large') return image
    const sized = resize(upright(image, order.orientation), order).timeout({ seconds: SECONDS })
    const transparent = !isJpeg(bytes) && order.decoder !== 'heic' && (await image.metadata()).hasAlpha
    const written = transparent ? sized.webp({ quality: 80, effort: 2 }) : sized.jpeg({ quality: 80 })
    return { type: transparent ? 'image/webp' : 'image/jpeg', bytes: new Uint8Array(await written.toBuffer()) }
  } catch (error) {
    return /pixel limit|dimensions/i.test(String(error)) ? 'too-large' : 'not-previewable'
  }
}

function openImage(bytes: Uint8Array): Sharp {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'none', sequentialRead: true })
}

/** The library decodes it upright. */
async function openHeic(buffer: Uint8Array): Promise<Sharp | 'too-large'> {
  const images = await decodeHeic.all({ buffer })
  const [first] = images
  if (first === undefined) throw new Error('no image')
  if (first.width * first.height > MAX_HEIC_PIXELS) return 'too-large'
  const { width, height, data } = await first.decode()
  images.dispose()
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: MAX_PIXELS }).removeAlpha()
}

/** By its own EXIF, unless an orientation is given. */
function upright(image: Sharp, orientation: number | null): Sharp {
  if (orientation === null) return image.autoOrient()
  const mirrored = [2, 4, 5, 7].includes(orientation)
  const turned = image.rotate({ 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 }[orientation] ?? 0)
  return mirrored ? turned.flop() : turned
}

function resize(image: Sharp, { size, crop }: Pick<RenderRequest, 'size' | 'crop'>): Sharp {
  return size === 'thumb'
    ? image.resize(THUMB_PX, THUMB_PX, { fit: 'cover', position: crop === 'top' ? 'top' : 'centre' })
    : image.resize(BIG_PX, BIG_PX, { fit: 'inside', withoutEnlargement: true })
}

function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8
}
