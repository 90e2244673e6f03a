import { describe, expect, it } from 'bun:test'
import sharp from 'sharp'
import type { RenderRequest } from './picture.ts'
import { render } from './render.ts'

describe('the thumbnail of a page', () => {
  const order = (crop: RenderRequest['crop']): RenderRequest => ({ size: 'thumb', decoder: 'sharp', orientation: null, length: 0, crop })

  it('shows the top of the page', async () => {
    const [red, green] = [await pageOf('#c00000'), await pageOf('#00a000')]
    const [a, b] = await Promise.all([red, green].map((page) => meanOf(page, order('top'))))
    expect(a?.red).toBeGreaterThan(150)
    expect(b?.green).toBeGreaterThan(130)
    // From the middle both are the same white paper.
    const [c, d] = await Promise.all([red, green].map((page) => meanOf(page, order('middle'))))
    expect(c).toEqual(d)
  })
})

/** Twice as high as wide, white below its head. */
async function pageOf(head: string): Promise<Uint8Array> {
  const band = await sharp({ create: { width: 300, height: 150, channels: 3, background: head } })
    .png()
    .toBuffer()
  const page = sharp({ create: { width: 300, height: 600, channels: 3, background: '#ffffff' } })
  return page
    .composite([{ input: band, top: 0, left: 0 }])
    .png()
    .toBuffer()
}

async function meanOf(page: Uint8Array, order: RenderRequest): Promise<{ red: number; green: number }> {
  const made = await render({ ...order, length: page.length }, page)
  if (typeof made === 'string') throw new Error(made)
  const { channels } = await sharp(made.bytes).stats()
  const [red, green, blue] = channels.map(({ mean }) => Math.round(mean))
  // How much of the colour there is beside the white.
  return {
    red: (red ?? 0) - Math.min(green ?? 0, blue ?? 0) + (red ?? 0) / 2,
    green: (green ?? 0) - Math.min(red ?? 0, blue ?? 0) + (green ?? 0) / 2,
  }
}
