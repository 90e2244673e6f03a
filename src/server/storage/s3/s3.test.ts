import { afterAll } from 'bun:test'
import { describeStorage } from '../storage.suite.ts'
import { createS3Storage } from './s3.ts'
import { startS3Service, temporaryFolder } from './test-s3-service.ts'

const service = await startS3Service()
afterAll(() => service.stop())

/** What an object store cannot keep of the port's promises; docs/s3.md says so to operators. */
const CANNOT = ['links', 'nodes', 'attributes', 'old content', 'bytes in names'] as const

describeStorage(
  'S3',
  async () => {
    const { folder, dispose } = temporaryFolder()
    const prefix = `suite/${crypto.randomUUID()}`
    const storage = createS3Storage({ ...service, prefix, folder, server: 'test' })
    return { storage, dispose: async () => dispose() }
  },
  { cannot: CANNOT, unstorable: service.unstorable },
)
