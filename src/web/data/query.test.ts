import { describe, expect, it } from 'bun:test'
import { AppError } from '../../shared/errors.ts'
import { createQueryClient, mutate } from './query.ts'

async function reported(error: Error, shows?: 'all' | readonly 'offline'[]): Promise<unknown[]> {
  const errors: unknown[] = []
  const queries = createQueryClient({ onError: (one) => errors.push(one) })
  const ended = Promise.withResolvers<void>()
  mutate(
    queries,
    { mutationFn: () => Promise.reject(error), ...(shows && { meta: { shows } }), onSettled: () => ended.resolve() },
    undefined,
  )
  await ended.promise
  return errors
}

describe('the error of a mutation', () => {
  const error = new AppError('offline', {})

  it('is reported once, unless the form shows it', async () => {
    expect(await reported(error)).toEqual([error])
    expect(await reported(error, 'all')).toEqual([])
    expect(await reported(error, ['offline'])).toEqual([])
  })

  it('is reported if the form shows other errors only', async () => {
    const other = new Error('a bug')
    expect(await reported(other, ['offline'])).toEqual([other])
  })
})
