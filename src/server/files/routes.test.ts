import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalStorage } from '../storage/local.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { describeFiles } from './routes.suite.ts'

describeFiles('files in memory', async () => createMemoryStorage())
describeFiles('files on a disk', async () => createLocalStorage(await mkdtemp(join(tmpdir(), 'files-'))))
