import { createModel } from './test-model.ts'
import { planOf } from './plan.ts'
import { act, rewind, pick } from './plan.test.ts'
const model = createModel()
const [acts, moment] = JSON.parse(process.env['DBG'] ?? '')
const looks = new Map()
const show = (r: any) =>
  `${r.id} ${r.kind} ${r.path} o=${r.origin} id=${r.identity} v=${r.version} res=${JSON.stringify(r.restored)} kept=${r.kept?.id} rev=${r.reverts}`
for (const a of acts) {
  const n = model.journal.length
  const look = model.look()
  act(model, a)
  console.log('--', a.kind)
  for (const r of model.journal.slice(n)) console.log(show(r))
  if (model.journal[n]) looks.set(model.journal[n].id, look)
}
const [from, look] = pick([...looks], moment) as any
console.log(model.look(), 'rewind to before', from, look)
import { spanOf } from './span.ts'
for (const c of spanOf(model.journal.filter(({ id }: any) => id >= from)).changes)
  console.log(
    c.event.entry.id,
    c.event.kind,
    c.event.path,
    'node',
    c.node.events.at(-1)?.entry.id,
    c.node.diskName,
    'diskparent',
    c.node.diskParent?.events.at(-1)?.entry.id ?? c.node.diskParent?.diskName,
    'before',
    c.before && [c.before.parent.diskName, c.before.name],
  )
for (const s of planOf(model.journal.filter(({ id }: any) => id >= from)))
  console.log(
    s.change,
    s.path,
    s.to,
    'entry',
    s.entry.id,
    'covers',
    s.covers.map((c) => c.id).join(),
    'v',
    s.version,
    'attr',
    s.attributes,
    'del',
    s.deletion?.id,
    'aside',
    s.aside?.path,
    'left',
    s.left?.identity,
    s.problem,
  )
rewind(model, from)
console.log(model.look())
