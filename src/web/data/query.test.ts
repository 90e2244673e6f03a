import { describe, expect, it } from 'bun:test'
import { AppError } from '../../shared/errors.ts'
import { createQueryClient, mutate } from './query.ts'

/** What is reported of a mutation that fails. */
async function reported(error: Error, shows: 'all' | readonly 'offline'[] = []): Promise<unknown[]> {
  const errors: unknown[] = []
  const queries = createQueryClient({ onError: (one) => errors.push(one) })
  const fails = async (): Promise<never> => {
    throw error
  }
  mutate(queries, { mutationFn: fails, meta: { shows } }, undefined)
  while (queries.isMutating() > 0) await new Promise((resolve) => setTimeout(resolve))
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
