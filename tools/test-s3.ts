import { startVersitygw } from './s3/versitygw.ts'

/** `npm run test:s3 [-- FILE…]`: the tests of the S3 storage against versitygw, which Go builds once. `npm test` runs them against moto. */
const service = await startVersitygw()
try {
  const files = process.argv.slice(2)
  const tests = Bun.spawn([process.execPath, 'test', '--timeout=300000', ...(files.length > 0 ? files : ['src/server/storage/s3'])], {
    env: { ...process.env, TEST_S3_ENDPOINT: service.endpoint },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  process.exitCode = await tests.exited
} finally {
  await service.stop()
}
