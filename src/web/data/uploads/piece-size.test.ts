import { describe, expect, it } from 'bun:test'
import { createPieceSize } from './piece-size.ts'

const MIB = 1024 * 1024

describe('the size of the pieces of an upload', () => {
  it('begins with what the settings say and grows fourfold on a fast line', () => {
    const pieces = createPieceSize(10 * MIB)
    expect(pieces.next()).toBe(10 * MIB)
    pieces.arrived({ bytes: 10 * MIB, ms: 100 })
    expect(pieces.next()).toBe(40 * MIB)
    pieces.arrived({ bytes: 40 * MIB, ms: 200 })
    expect(pieces.next()).toBe(160 * MIB)
  })

  it('is what arrives in twenty seconds at most, and never less than the settings say', () => {
    const pieces = createPieceSize(10 * MIB)
    pieces.arrived({ bytes: 10 * MIB, ms: 10_000 })
    expect(pieces.next()).toBe(20 * MIB)
    pieces.arrived({ bytes: 20 * MIB, ms: 80_000 })
    expect(pieces.next()).toBe(10 * MIB)
  })

  it('is not changed by pieces that were smaller than it', () => {
    const pieces = createPieceSize(10 * MIB)
    pieces.arrived({ bytes: MIB, ms: 1 })
    expect(pieces.next()).toBe(10 * MIB)
  })
})
