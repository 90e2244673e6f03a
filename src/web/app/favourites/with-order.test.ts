import { expect, it } from 'bun:test'
import { parseFilePath as at } from '../../../shared/file-path.ts'
import { moved } from '../../widgets/use-sortable.ts'
import { withOrder } from './with-order.ts'

it('reordering pinned folders keeps files between them in place', () => {
  const favourites = ['/a/', '/x', '/b/', '/c/'].map((text) => ({ path: at(text), isDir: text.endsWith('/') }))
  const folders = moved([at('/a'), at('/b'), at('/c')], at('/c'), 0)
  expect(withOrder(favourites, folders)).toEqual([at('/c'), at('/x'), at('/a'), at('/b')])
})
