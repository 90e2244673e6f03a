import './dbg.ts'
