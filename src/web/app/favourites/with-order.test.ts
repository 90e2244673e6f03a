import { expect, it } from 'bun:test'
import { parseFilePath as at } from '../../../shared/file-path.ts'
import { moved } from '../../widgets/use-sortable.ts'
import { withOrder } from './with-order.ts'

it('pinned folders change places among themselves, and files between them stay', () => {
  const favourites = ['/a/', '/x', '/b/', '/c/'].map((text) => ({ path: at(text), isDir: text.endsWith('/') }))
  const folders = moved([at('/a'), at('/b'), at('/c')], at('/c'), 0)
  expect(withOrder(favourites, folders)).toEqual([at('/c'), at('/x'), at('/a'), at('/b')])
})
