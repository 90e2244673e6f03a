import { expect, it } from 'bun:test'
import type { Attack } from './attack.ts'
import { outcomesOfBun, outcomesOfPlaywright, tableOf } from './outcomes.ts'

const ATTACKS: readonly Attack[] = ['R1', 'R10', 'A4-1'].map((id) => ({ id, did: '', why: '' }))

it('what a run of bun found is read with its groups, without what was left out', () => {
  const xml = `<testsuites><testsuite><testcase name="is mended (R1)" classname="a &amp; b" time="0" />
    <testcase name="holds (R10)" classname=""><failure type="AssertionError" /></testcase>
    <testcase name="other" classname=""><skipped /></testcase></testsuite></testsuites>`
  expect(outcomesOfBun(xml)).toEqual([
    { title: 'a & b is mended (R1)', passed: true },
    { title: ' holds (R10)', passed: false },
  ])
})

it('what a run of Playwright found is read through all its groups', () => {
  const inner = { title: 'files (A4-1)', specs: [{ title: 'are safe', ok: true }] }
  const told = outcomesOfPlaywright(JSON.stringify({ suites: [{ title: 'x.spec.ts', suites: [inner] }] }))
  expect(told).toEqual([{ title: ' x.spec.ts files (A4-1) are safe', passed: true }])
})

it('the table has a row for each attack; one of which nothing ran has failed', () => {
  const { text, fine } = tableOf(ATTACKS, [
    { title: 'is mended (R1)', passed: true },
    { title: 'holds (R10)', passed: false },
  ])
  const rows = text.split('\n').map((line) => line.trim().split(/ {2,}/))
  expect(rows.slice(1, 4)).toEqual([
    ['R1', '1', '0'],
    ['R10', '0', '1'],
    ['A4-1', '0', '1'],
  ])
  expect(text).toEndWith('3 attacks, 2 of them not shown impossible; 1 tests passed, 1 failed')
  expect(fine).toBe(false)
})
