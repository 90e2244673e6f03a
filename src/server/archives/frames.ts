import type { LaidOutFormat } from '../../shared/archive-format.ts'
import type { Frame } from './frame.ts'
import { tar } from './tar.ts'
import { zip } from './zip.ts'

export const FRAMES: Record<LaidOutFormat, Frame> = { zip, tar }
